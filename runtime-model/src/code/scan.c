// Formatted input: the scanf family.
#include "library.h"

typedef struct FILE FILE;
int fgetc_unlocked(FILE *);
int __verify_push_back(int, FILE *);
void flockfile(FILE *);
void funlockfile(FILE *);
extern FILE *stdin;
unsigned long long strtoull(const char *, char **, int);
double strtod(const char *, char **);
int isspace(int);
void __verify_not_modelled(const char *);

// Where characters come from.
typedef struct Source {
  int (*next)(struct Source *);
  void (*back)(struct Source *, int);
  union {
    const char *text;
    FILE *stream;
  };
  long consumed;
} Source;

static int next_of_text(Source *source) { return *source->text ? (unsigned char)*source->text++ : -1; }
static void back_to_text(Source *source, int byte) { source->text -= byte >= 0; }
static int next_of_stream(Source *source) { return fgetc_unlocked(source->stream); }
static void back_to_stream(Source *source, int byte) { __verify_push_back(byte, source->stream); }

static int take(Source *source) {
  int byte = source->next(source);
  source->consumed += byte >= 0;
  return byte;
}
static void give_back(Source *source, int byte) {
  source->back(source, byte);
  source->consumed -= byte >= 0;
}
static int skip_space(Source *source) {
  int byte;
  do
    byte = take(source);
  while (byte >= 0 && isspace(byte));
  give_back(source, byte);
  return byte;
}

// Characters of one field, in a buffer that grows.
typedef struct {
  char *bytes;
  size_t count, room;
} Field;

static void add(Field *field, int byte) {
  if (field->count + 1 >= field->room) {
    field->room = field->room ? 2 * field->room : 32;
    field->bytes = realloc(field->bytes, field->room);
  }
  field->bytes[field->count++] = (char)byte;
  field->bytes[field->count] = 0;
}

// A directive: `%`, and what stands between it and the letter.
typedef struct {
  int discard, allocate, width;
  char length;
  const char *set;
  size_t set_length;
  int excluded;
} Directive;

static const char *parse(const char *format, Directive *directive) {
  *directive = (Directive){0};
  for (;; format++) {
    if (*format == '*')
      directive->discard = 1;
    else if (*format == 'm')
      directive->allocate = 1;
    else if (*format == '$')
      __verify_not_modelled("a numbered argument in the format of scanf");
    else if (*format >= '0' && *format <= '9')
      directive->width = 10 * directive->width + *format - '0';
    else if ((*format == 'h' || *format == 'l') && format[1] == *format) {
      directive->length = *format == 'h' ? 'H' : 'q';
      format++;
    } else if (*format && strchr("hlqjztL", *format))
      directive->length = *format;
    else
      break;
  }
  if (*format != '[')
    return format;
  directive->excluded = format[1] == '^';
  directive->set = format + 1 + directive->excluded;
  const char *end = directive->set + (*directive->set == ']');
  while (*end && *end != ']')
    end++;
  directive->set_length = (size_t)(end - directive->set);
  return *end ? end : end - 1;
}

static int in_set(const Directive *directive, int byte) {
  int found = 0;
  for (size_t i = 0; i < directive->set_length && !found; i++) {
    const unsigned char *set = (const unsigned char *)directive->set + i;
    int range = i > 0 && set[0] == '-' && i + 1 < directive->set_length;
    found = range ? byte >= set[-1] && byte <= set[1] : byte == set[0];
  }
  return found != directive->excluded;
}

static void store(void *to, char length, unsigned long long value) {
  switch (length) {
  case 'H': *(unsigned char *)to = (unsigned char)value; break;
  case 'h': *(unsigned short *)to = (unsigned short)value; break;
  case 'l': case 'z': case 't': *(unsigned long *)to = (unsigned long)value; break;
  case 'q': case 'j': case 'L': *(unsigned long long *)to = value; break;
  default: *(unsigned *)to = (unsigned)value;
  }
}

// Collects as long as `fits` says so. Returns how many.
static int collect(Source *source, const Directive *directive, Field *field, int (*fits)(const Field *, int, const Directive *)) {
  int byte, count = 0;
  while ((directive->width == 0 || count < directive->width) && (byte = take(source)) >= 0) {
    if (!fits(field, byte, directive)) {
      give_back(source, byte);
      break;
    }
    add(field, byte);
    count++;
  }
  return count;
}

static int is_word(const Field *field, int byte, const Directive *directive) {
  return (void)field, (void)directive, !isspace(byte);
}
static int is_chosen(const Field *field, int byte, const Directive *directive) { return (void)field, in_set(directive, byte); }
static int is_any(const Field *field, int byte, const Directive *directive) {
  return (void)field, (void)byte, (void)directive, 1;
}

static int digit(int byte) {
  int letter = byte | 32;
  return byte >= '0' && byte <= '9' ? byte - '0' : letter >= 'a' && letter <= 'z' ? letter - 'a' + 10 : 99;
}

// Whether a number of that base (0: as its prefix says) can go on with that character.
static int number_goes_on(const Field *field, int byte, int base) {
  size_t sign = field->count && (field->bytes[0] == '-' || field->bytes[0] == '+');
  if (byte == '-' || byte == '+')
    return field->count == 0;
  int zero = field->count > sign && field->bytes[sign] == '0';
  if ((byte == 'x' || byte == 'X') && (base == 16 || base == 0))
    return zero && field->count == sign + 1;
  int prefixed = zero && field->count > sign + 1 && (field->bytes[sign + 1] | 32) == 'x';
  int actual = base ? base : prefixed ? 16 : zero ? 8 : 10;
  return digit(byte) < actual;
}
static int is_decimal(const Field *field, int byte, const Directive *d) { return (void)d, number_goes_on(field, byte, 10); }
static int is_octal(const Field *field, int byte, const Directive *d) { return (void)d, number_goes_on(field, byte, 8); }
static int is_hexadecimal(const Field *field, int byte, const Directive *d) { return (void)d, number_goes_on(field, byte, 16); }
static int is_any_base(const Field *field, int byte, const Directive *d) { return (void)d, number_goes_on(field, byte, 0); }

static int is_real(const Field *field, int byte, const Directive *directive) {
  (void)directive;
  int point = 0, exponent = 0;
  for (size_t i = 0; i < field->count; i++) {
    point |= field->bytes[i] == '.';
    exponent |= (field->bytes[i] | 32) == 'e';
  }
  int last = field->count ? field->bytes[field->count - 1] : 0;
  if (byte == '-' || byte == '+')
    return field->count == 0 || (last | 32) == 'e';
  if (byte == '.')
    return !point && !exponent;
  if ((byte | 32) == 'e')
    return !exponent && field->count && digit(last) < 10;
  if (digit(byte) >= 10 && strchr("infatyxINFATYX", byte))
    __verify_not_modelled("scanf of an infinity, of what is no number, or of a hexadecimal number");
  return digit(byte) < 10;
}

// Whether there is a number in the field; `value` is it.
static int whole(const Field *field, int base, unsigned long long *value) {
  char *end = NULL;
  *value = field->count ? strtoull(field->bytes, &end, base) : 0;
  return end && end != field->bytes && !*end;
}

enum { GOES_ON, MISMATCH };

static int integer(Source *source, const Directive *directive, int base, void *to) {
  Field field = {0};
  collect(source, directive, &field,
          base == 10 ? is_decimal : base == 8 ? is_octal : base == 16 ? is_hexadecimal : is_any_base);
  unsigned long long value;
  int good = whole(&field, base, &value);
  free(field.bytes);
  if (good && to)
    store(to, directive->length, value);
  return good ? GOES_ON : MISMATCH;
}

static int real(Source *source, const Directive *directive, void *to) {
  Field field = {0};
  collect(source, directive, &field, is_real);
  char *end = NULL;
  double value = field.count ? strtod(field.bytes, &end) : 0;
  int good = end && end != field.bytes && !*end;
  free(field.bytes);
  if (good && to) {
    if (directive->length == 'l')
      *(double *)to = value;
    else if (directive->length == 'L')
      *(long double *)to = value;
    else
      *(float *)to = (float)value;
  }
  return good ? GOES_ON : MISMATCH;
}

static int text(Source *source, Directive directive, char letter, void *to) {
  if (directive.length == 'l')
    __verify_not_modelled("scanf of wide characters");
  if (letter == 'c' && directive.width == 0)
    directive.width = 1;
  Field field = {0};
  int count = collect(source, &directive, &field, letter == 's' ? is_word : letter == 'c' ? is_any : is_chosen);
  int good = letter == 'c' ? count == directive.width : count > 0;
  if (good && to && directive.allocate) {
    *(char **)to = field.bytes;
    return GOES_ON;
  }
  if (good && to)
    __builtin_memcpy(to, field.bytes, field.count + (letter != 'c'));
  free(field.bytes);
  return good ? GOES_ON : MISMATCH;
}

static int scan(Source *source, const char *format, va_list values) {
  int assigned = 0, converted = 0;
  for (; *format; format++) {
    if (isspace((unsigned char)*format)) {
      skip_space(source);
      continue;
    }
    Directive directive = {0};
    char letter = 0;
    if (*format == '%') {
      format = parse(format + 1, &directive);
      letter = directive.set ? '[' : *format;
      if (!letter)
        return assigned;
    }
    if (letter == 'n') {
      if (!directive.discard)
        store(va_arg(values, void *), directive.length, (unsigned long long)source->consumed);
      continue;
    }
    int byte = letter && letter != 'c' && letter != '[' ? skip_space(source) : 0;
    if (!byte || !letter) {
      byte = take(source);
      give_back(source, byte);
    }
    if (byte < 0)
      return converted ? assigned : -1;
    if (!letter || letter == '%') {
      if (byte != (unsigned char)*format)
        return assigned;
      take(source);
      continue;
    }
    void *to = directive.discard ? NULL : va_arg(values, void *);
    int result = MISMATCH;
    switch (letter) {
    case 'd': case 'u': result = integer(source, &directive, 10, to); break;
    case 'i': result = integer(source, &directive, 0, to); break;
    case 'o': result = integer(source, &directive, 8, to); break;
    case 'x': case 'X': result = integer(source, &directive, 16, to); break;
    case 'p': directive.length = 'l', result = integer(source, &directive, 16, to); break;
    case 'a': case 'e': case 'f': case 'g': case 'E': case 'F': case 'G': result = real(source, &directive, to); break;
    case 's': case 'c': case '[': result = text(source, directive, letter, to); break;
    default: __verify_not_modelled("a directive in the format of scanf");
    }
    if (result != GOES_ON)
      return assigned;
    converted = 1;
    assigned += to != NULL;
  }
  return assigned;
}

int vsscanf(const char *text, const char *format, va_list values) {
  Source source = {next_of_text, back_to_text, {.text = text}, 0};
  return scan(&source, format, values);
}

int vfscanf(FILE *stream, const char *format, va_list values) {
  __verify_may_be_cancelled();
  Source source = {next_of_stream, back_to_stream, {.stream = stream}, 0};
  flockfile(stream);
  int result = scan(&source, format, values);
  funlockfile(stream);
  return result;
}

// The forms with `...` and a list, under each of the names that headers give them.
#define FORMS(prefix)                                                                                                        \
  int prefix##sscanf(const char *text, const char *format, ...) {                                                            \
    va_list values;                                                                                                          \
    va_start(values, format);                                                                                                \
    int result = vsscanf(text, format, values);                                                                              \
    va_end(values);                                                                                                          \
    return result;                                                                                                           \
  }                                                                                                                          \
  int prefix##fscanf(FILE *stream, const char *format, ...) {                                                                \
    va_list values;                                                                                                          \
    va_start(values, format);                                                                                                \
    int result = vfscanf(stream, format, values);                                                                            \
    va_end(values);                                                                                                          \
    return result;                                                                                                           \
  }                                                                                                                          \
  int prefix##scanf(const char *format, ...) {                                                                               \
    va_list values;                                                                                                          \
    va_start(values, format);                                                                                                \
    int result = vfscanf(stdin, format, values);                                                                             \
    va_end(values);                                                                                                          \
    return result;                                                                                                           \
  }                                                                                                                          \
  int prefix##vscanf(const char *format, va_list values) { return vfscanf(stdin, format, values); }

FORMS()
FORMS(__isoc99_)
FORMS(__isoc23_)
int __isoc99_vsscanf(const char *text, const char *format, va_list values) { return vsscanf(text, format, values); }
int __isoc23_vsscanf(const char *text, const char *format, va_list values) { return vsscanf(text, format, values); }
int __isoc99_vfscanf(FILE *stream, const char *format, va_list values) { return vfscanf(stream, format, values); }
int __isoc23_vfscanf(FILE *stream, const char *format, va_list values) { return vfscanf(stream, format, values); }
