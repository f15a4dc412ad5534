# 1 "gcc_headers.c"
# 1 "/usr/include/stdlib.h" 1 3 4
typedef unsigned int size_t;
extern void free (void *__ptr) __attribute__ ((__nothrow__ , __leaf__));
extern void *malloc (size_t __size) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__malloc__))
     __attribute__ ((__alloc_size__ (1))) ;
extern void *take (size_t) __attribute__ ((__malloc__ (free, 1))) __attribute__ ((__warn_unused_result__));
extern int give (void *) ; extern void *take2 (void) __attribute__ ((__malloc__, __malloc__ ((give), 1)));
typedef _Float128 __float_of_128;
extern _Float32 half32 (_Float32 __x); extern _Float64 half64 (_Float64, _Float32x); extern _Float64x half64x (_Float64x);
extern _Complex _Float64 chalf64 (_Complex _Float64 __z);
# 12 "gcc_headers.c" 2
void reach_error(void) {}
static const char *text = "__malloc__ (free, 1) _Float32";
_Float32 linux;
void *take(size_t n) { return malloc(n); }
int main(void) {
  int *p = take(sizeof *p);
  *p = text[0] == '_' && text[12] == 'f' && text[22] == 'F';
  linux = 0.5f;
  if (*p && linux == 0.5f && sizeof(_Float64x) == 12 && sizeof(_Float64) == 8 && sizeof(__float_of_128) == 16)
    reach_error();
  free(p);
  return 0;
}
