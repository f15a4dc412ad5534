//@ revisions: read write call field
//@ verdict: unsafe(memory)
//@[read] cflags: -DREAD
//@[write] cflags: -DWRITE
//@[call] cflags: -DCALL
//@[field] cflags: -DFIELD
struct node { int value[100]; int last; };
static struct node *head;
static int (*function)(void);

int main(void) {
  int x = 0, *p = 0;
#ifdef READ
  x = *p; //~[read] memory
#endif
#ifdef WRITE
  *p = 1; //~[write] memory
#endif
#ifdef CALL
  x = function(); //~[call] memory
#endif
#ifdef FIELD
  x = head->last; //~[field] memory
#endif
  return x;
}
