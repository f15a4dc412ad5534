// Formatted input: the scanf family.
#include "library.h"

typedef struct FILE FILE;
int fgetc_unlocked(FILE *);
int __verify_push_back(int, FILE *);
void flockfile(FILE *);
void funlockfile(FILE *);
extern FILE *stdin;
long strtol(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
long long strtoll(const char *, char **, int);
unsigned long long strtoull(const char *, char **, int);
double strtod(const char *, char **);
float strtof(const char *, char **);
void __verify_not_modelled(const char *);

// As `isspace` has it in the C locale, for characters that may be anything.
static int is_space(int byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

// Where characters come from.
typedef struct Source {
  int (*next)(struct Source *);
  void (*back)(struct Source *, int);
  union {
    const char *text;
    FILE *stream;
  };
  long consumed;
  int binary; // whether 0b is a prefix, as since C23
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
  while (byte >= 0 && is_space(byte));
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
    int range = i > 0 && set[0] == '-' && i + 1 < directive->set_length && set[-1] <= set[1];
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
  return (void)field, (void)directive, !is_space(byte);
}
static int is_chosen(const Field *field, int byte, const Directive *directive) { return (void)field, in_set(directive, byte); }
static int is_any(const Field *field, int byte, const Directive *directive) {
  return (void)field, (void)byte, (void)directive, 1;
}

static int digit(int byte) {
  int letter = byte | 32;
  return byte >= '0' && byte <= '9' ? byte - '0' : letter >= 'a' && letter <= 'z' ? letter - 'a' + 10 : 99;
}

// The next character of a field, -1 where the width or the input ends. What was looked at stays there until it is
// taken.
static int peek(Source *source, const Directive *directive, const Field *field) {
  if (directive->width && field->count >= (size_t)directive->width)
    return -1;
  int byte = take(source);
  give_back(source, byte);
  return byte;
}
static void accept(Source *source, Field *field) { add(field, take(source)); }
static int accept_if(Source *source, const Directive *directive, Field *field, int letter) {
  int found = (peek(source, directive, field) | 32) == (letter | 32);
  if (found)
    accept(source, field);
  return found;
}
static int accept_digits(Source *source, const Directive *directive, Field *field, int base) {
  int count = 0;
  for (int byte; (byte = peek(source, directive, field)) >= 0 && digit(byte) < base; count++)
    accept(source, field);
  return count;
}
static void accept_sign(Source *source, const Directive *directive, Field *field) {
  int byte = peek(source, directive, field);
  if (byte == '-' || byte == '+')
    accept(source, field);
}

enum { GOES_ON, MISMATCH };

// The number in the range of the widest type of its kind that the length stands for: glibc cuts off only what is beyond
// that.
static unsigned long long value_of(const char *text, int is_signed, int base, char length) {
  int is_long_long = length == 'q' || length == 'j' || length == 'L';
  if (is_signed)
    return (unsigned long long)(is_long_long ? strtoll(text, NULL, base) : strtol(text, NULL, base));
  return is_long_long ? strtoull(text, NULL, base) : strtoul(text, NULL, base);
}

// As glibc does, "0x" alone is zero: a character that was taken cannot be given back, and is no mismatch here.
static int integer(Source *source, const Directive *directive, char letter, int base, void *to) {
  Field field = {0};
  accept_sign(source, directive, &field);
  int count = accept_if(source, directive, &field, '0');
  if (count) {
    if ((base == 0 || base == 16) && accept_if(source, directive, &field, 'x'))
      base = 16;
    else if ((base == 0 || base == 2) && source->binary && accept_if(source, directive, &field, 'b'))
      base = 2;
    else if (base == 0)
      base = 8;
  }
  count += accept_digits(source, directive, &field, base ? base : 10);
  if (count && to)
    store(to, directive->length, value_of(field.bytes, letter == 'd' || letter == 'i', base ? base : 10, directive->length));
  free(field.bytes);
  return count ? GOES_ON : MISMATCH;
}

// A null pointer as printf writes it.
static int null(Source *source, const Directive *directive, void *to) {
  Field field = {0};
  int good = 1;
  for (const char *text = "(nil)"; *text && good; text++)
    good = accept_if(source, directive, &field, *text);
  free(field.bytes);
  if (good && to)
    *(void **)to = NULL;
  return good ? GOES_ON : MISMATCH;
}

// Collects a floating-point number as glibc does: a word that is begun has to be complete ("inf", "infinity", "nan"),
// after "0x" there has to be a digit or a point, and be room for one; an exponent needs no digits.
static int collect_real(Source *source, const Directive *directive, Field *field) {
  accept_sign(source, directive, field);
  const char *word = (peek(source, directive, field) | 32) == 'n' ? "nan" : "inf";
  if ((peek(source, directive, field) | 32) == *word) {
    for (; *word; word++)
      if (!accept_if(source, directive, field, *word))
        return 0;
    word = field->bytes[field->count - 1] == 'f' || field->bytes[field->count - 1] == 'F' ? "inity" : "";
    if ((peek(source, directive, field) | 32) == *word)
      for (; *word; word++)
        if (!accept_if(source, directive, field, *word))
          return 0;
    return 1;
  }
  int count = accept_if(source, directive, field, '0'), base = 10;
  int has_room = !directive->width || field->count + 1 < (size_t)directive->width;
  if (count && has_room && accept_if(source, directive, field, 'x'))
    base = 16, count = 0;
  count += accept_digits(source, directive, field, base);
  int point = peek(source, directive, field) == '.';
  if (point) {
    accept(source, field);
    count += accept_digits(source, directive, field, base);
  }
  if (count == 0)
    return point && base == 16;
  if (accept_if(source, directive, field, base == 16 ? 'p' : 'e')) {
    accept_sign(source, directive, field);
    accept_digits(source, directive, field, 10);
  }
  return 1;
}

static int real(Source *source, const Directive *directive, void *to) {
  Field field = {0};
  int good = collect_real(source, directive, &field);
  if (good && to) {
    if (directive->length == 'l')
      *(double *)to = strtod(field.bytes, NULL);
    else if (directive->length == 'L')
      __verify_not_modelled("scanf of a long double");
    else
      *(float *)to = strtof(field.bytes, NULL);
  }
  free(field.bytes);
  return good ? GOES_ON : MISMATCH;
}

static int text(Source *source, Directive directive, char letter, void *to) {
  if (directive.length == 'l')
    __verify_not_modelled("scanf of wide characters");
  if (letter == 'c' && directive.width == 0)
    directive.width = 1;
  Field field = {0};
  int count = collect(source, &directive, &field, letter == 's' ? is_word : letter == 'c' ? is_any : is_chosen);
  int good = count > 0;
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
  int assigned = 0;
  for (; *format; format++) {
    if (is_space((unsigned char)*format)) {
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
      return assigned ? assigned : -1;
    if (!letter || letter == '%') {
      if (byte != (unsigned char)*format)
        return assigned;
      take(source);
      continue;
    }
    void *to = directive.discard ? NULL : va_arg(values, void *);
    int result = MISMATCH;
    switch (letter) {
    case 'd': case 'u': result = integer(source, &directive, letter, 10, to); break;
    case 'i': result = integer(source, &directive, letter, 0, to); break;
    case 'o': result = integer(source, &directive, letter, 8, to); break;
    case 'x': case 'X': result = integer(source, &directive, letter, 16, to); break;
    case 'b': result = source->binary ? integer(source, &directive, letter, 2, to) : MISMATCH; break;
    case 'p': directive.length = 'l', result = byte == '(' ? null(source, &directive, to) : integer(source, &directive, letter, 16, to); break;
    case 'a': case 'e': case 'f': case 'g': case 'E': case 'F': case 'G': result = real(source, &directive, to); break;
    case 's': case 'c': case '[': result = text(source, directive, letter, to); break;
    default: __verify_not_modelled("a directive in the format of scanf");
    }
    if (result != GOES_ON)
      return assigned;
    assigned += to != NULL;
  }
  return assigned;
}

static int scan_text(const char *text, const char *format, va_list values, int binary) {
  Source source = {next_of_text, back_to_text, {.text = text}, 0, binary};
  return scan(&source, format, values);
}

static int scan_stream(FILE *stream, const char *format, va_list values, int binary) {
  __verify_may_be_cancelled();
  Source source = {next_of_stream, back_to_stream, {.stream = stream}, 0, binary};
  flockfile(stream);
  int result = scan(&source, format, values);
  funlockfile(stream);
  return result;
}

// The forms with `...` and a list, under each of the names that headers give them.
#define VARIADIC(declaration, call)                                                                                          \
  int declaration {                                                                                                          \
    va_list values;                                                                                                          \
    va_start(values, format);                                                                                                \
    int result = call;                                                                                                       \
    va_end(values);                                                                                                          \
    return result;                                                                                                           \
  }
#define FORMS(prefix, binary)                                                                                                \
  int prefix##vsscanf(const char *text, const char *format, va_list values) {                                                \
    return scan_text(text, format, values, binary);                                                                          \
  }                                                                                                                          \
  int prefix##vfscanf(FILE *stream, const char *format, va_list values) {                                                    \
    return scan_stream(stream, format, values, binary);                                                                      \
  }                                                                                                                          \
  int prefix##vscanf(const char *format, va_list values) { return scan_stream(stdin, format, values, binary); }              \
  VARIADIC(prefix##sscanf(const char *text, const char *format, ...), scan_text(text, format, values, binary))               \
  VARIADIC(prefix##fscanf(FILE *stream, const char *format, ...), scan_stream(stream, format, values, binary))               \
  VARIADIC(prefix##scanf(const char *format, ...), scan_stream(stdin, format, values, binary))

FORMS(, 0)
FORMS(__isoc99_, 0)
FORMS(__isoc23_, 1)
