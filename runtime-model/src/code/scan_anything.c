// For SV-COMP, whose rules let standard input be anything: `scanf` gives any number of any values.
#include "library.h"

extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
void __verify_not_modelled(const char *);

// The bytes of an integer, by the letters before its conversion.
static size_t size_of(const char **format) {
  switch (*(*format)++) {
  case 'h':
    return **format == 'h' ? ((*format)++, sizeof(char)) : sizeof(short);
  case 'l':
    return **format == 'l' ? ((*format)++, sizeof(long long)) : sizeof(long);
  case 'q':
  case 'j':
    return sizeof(long long);
  case 'z':
  case 't':
    return sizeof(size_t);
  }
  (*format)--;
  return sizeof(int);
}

static void give(void *place, size_t size) {
  switch (size) {
  case 1:
    *(unsigned char *)place = __VERIFIER_nondet_uchar();
    break;
  case 2:
    *(unsigned short *)place = __VERIFIER_nondet_ushort();
    break;
  case 4:
    *(unsigned *)place = __VERIFIER_nondet_uint();
    break;
  default:
    *(unsigned long long *)place = __VERIFIER_nondet_ulonglong();
  }
}

int vscanf(const char *format, va_list arguments) {
  int given = 0, passed = 0, most = __VERIFIER_nondet_int();
  while (*format) {
    char letter = *format++;
    if (letter == ' ' || (letter >= '\t' && letter <= '\r'))
      continue;
    int kept = 0;
    size_t size = 0, count = 1;
    if (letter == '%' && *format != '%') {
      kept = *format != '*';
      format += !kept;
      if (*format >= '1' && *format <= '9')
        for (count = 0; *format >= '0' && *format <= '9'; format++)
          count = 10 * count + (size_t)(*format - '0');
      size = size_of(&format);
      letter = *format++;
      switch (letter) {
      case 'd': case 'i': case 'o': case 'u': case 'x': case 'X':
        count = 1;
        break;
      case 'c':
        size = 1;
        break;
      case 'n':
        give(va_arg(arguments, void *), size);
        continue;
      default:
        __verify_not_modelled("scanf of any text or floating-point number");
      }
    } else if (letter == '%')
      format++;
    // The input ends, or does not match.
    if (passed++ >= most)
      return given || !__VERIFIER_nondet_bool() ? given : -1;
    if (!kept)
      continue;
    char *place = va_arg(arguments, char *);
    for (size_t i = 0; i < count; i++)
      give(place + i * size, size);
    given++;
  }
  return given;
}

int scanf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int given = vscanf(format, arguments);
  va_end(arguments);
  return given;
}
int __isoc99_vscanf(const char *, va_list) EXPORT_AS("vscanf");
int __isoc23_vscanf(const char *, va_list) EXPORT_AS("vscanf");
int __isoc99_scanf(const char *, ...) EXPORT_AS("scanf");
int __isoc23_scanf(const char *, ...) EXPORT_AS("scanf");
