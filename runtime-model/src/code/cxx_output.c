// Output by std::cout, std::cerr and std::clog as they are at the start: these objects have no content here, so that
// what changes their formatting is not modelled, nor is any other stream.
#include "library.h"

typedef struct Stream Stream;
extern char _ZSt4cout[], _ZSt4cerr[], _ZSt4clog[];
int __verify_output(int, const void *, size_t);
void __verify_not_modelled(const char *);
int asprintf(char **, const char *, ...);

static Stream *write(Stream *to, const char *bytes, size_t length) {
  if ((char *)to != _ZSt4cout && (char *)to != _ZSt4cerr && (char *)to != _ZSt4clog)
    __verify_not_modelled("a stream of C++ other than the standard outputs");
  __verify_output((char *)to == _ZSt4cout ? 1 : 2, bytes, length);
  return to;
}

#define FORMATTED(name, type, format)            \
  Stream *name(Stream *to, type value) {         \
    char *text;                                  \
    int length = asprintf(&text, format, value); \
    write(to, text, (size_t)length);             \
    free(text);                                  \
    return to;                                   \
  }
FORMATTED(_ZNSolsEs, short, "%hd")
FORMATTED(_ZNSolsEt, unsigned short, "%hu")
FORMATTED(_ZNSolsEi, int, "%d")
FORMATTED(_ZNSolsEj, unsigned, "%u")
FORMATTED(_ZNSolsEl, long, "%ld")
FORMATTED(_ZNSolsEm, unsigned long, "%lu")
FORMATTED(_ZNSolsEx, long long, "%lld")
FORMATTED(_ZNSolsEy, unsigned long long, "%llu")
FORMATTED(_ZNSolsEb, _Bool, "%d")
FORMATTED(_ZNSolsEf, float, "%g")
FORMATTED(_ZNSolsEd, double, "%g")
FORMATTED(_ZNSolsEe, long double, "%Lg")
// A null pointer is shown as 0.
Stream *_ZNSolsEPKv(Stream *to, const void *value) {
  char *text;
  int length = asprintf(&text, value ? "%p" : "0", value);
  write(to, text, (size_t)length);
  free(text);
  return to;
}

// Characters and strings.
#define CHARACTER(name, type) \
  Stream *name(Stream *to, type value) { return write(to, (const char *)&value, 1); }
CHARACTER(_ZNSo3putEc, char)
CHARACTER(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c, char)
CHARACTER(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_a, signed char)
CHARACTER(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_h, unsigned char)
Stream *_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc(Stream *to, const char *text) {
  return write(to, text, strlen(text));
}
typedef struct {
  const char *bytes;
  size_t length;
} String;
Stream *_ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_stringIS4_S5_T1_EE(
    Stream *to, const String *text) {
  return write(to, text->bytes, text->length);
}
Stream *_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l(Stream *to, const char *bytes, long length) {
  return write(to, bytes, (size_t)length);
}
Stream *_ZNSo5writeEPKcl(Stream *to, const char *bytes, long length) { return write(to, bytes, (size_t)length); }

// Manipulators of the stream as a whole.
Stream *_ZNSolsEPFRSoS_E(Stream *to, Stream *(*manipulate)(Stream *)) { return manipulate(to); }
Stream *_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_(Stream *to) { return write(to, "\n", 1); }
Stream *_ZSt5flushIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_(Stream *to) { return write(to, "", 0); }
Stream *_ZNSo5flushEv(Stream *to) { return write(to, "", 0); }

// Standard output as a whole begins and ends without us.
void _ZNSt8ios_base4InitC1Ev(void *self) { (void)self; }
void _ZNSt8ios_base4InitD1Ev(void *self) { (void)self; }
