// Options of the command line, as GNU has them: operands move to the end, after the options.
#include "library.h"

struct option {
  const char *name;
  int has_argument; // 0 no, 1 yes, 2 perhaps
  int *flag;
  int value;
};

int __verify_output(int, const void *, size_t);
int asprintf(char **, const char *, ...);

char *optarg;
int optind = 1, opterr = 1, optopt = '?';
// The rest of a cluster of short options, and the operands that were passed over: from `first` up to `last`.
static const char *cluster;
static int first, last;

static int complain(char *const argv[], const char *optstring, const char *format, const char *name) {
  if (opterr && *optstring != ':') {
    char *text;
    int length = asprintf(&text, format, argv[0], name);
    if (length >= 0) {
      __verify_output(2, text, (size_t)length);
      free(text);
    }
  }
  return '?';
}

static void reverse(char **argv, int from, int to) {
  for (; from < --to; from++) {
    char *kept = argv[from];
    argv[from] = argv[to];
    argv[to] = kept;
  }
}

// Moves the operands that were passed over to after the options that follow them.
static void permute(char **argv) {
  if (first < last && last < optind) {
    reverse(argv, first, last);
    reverse(argv, last, optind);
    reverse(argv, first, optind);
  }
  first += optind - last;
  last = optind;
}

static int is_option(const char *word) { return word[0] == '-' && word[1]; }

static int long_option(int argc, char *const argv[], const char *optstring, const struct option *options, int *index,
                       const char *word) {
  const char *end = strchr(word, '=');
  size_t length = end ? (size_t)(end - word) : strlen(word);
  int found = -1, candidates = 0;
  for (int i = 0; options[i].name; i++) {
    if (strncmp(options[i].name, word, length) != 0)
      continue;
    if (strlen(options[i].name) == length) {
      found = i;
      candidates = 1;
      break;
    }
    found = i;
    candidates++;
  }
  optopt = 0;
  if (candidates == 0)
    return complain(argv, optstring, "%s: unrecognized option '--%s'\n", word);
  if (candidates > 1)
    return complain(argv, optstring, "%s: option '--%s' is ambiguous\n", word);
  const struct option *option = &options[found];
  optopt = option->value;
  if (end && !option->has_argument)
    return complain(argv, optstring, "%s: option '--%s' doesn't allow an argument\n", option->name);
  if (end)
    optarg = (char *)end + 1;
  else if (option->has_argument == 1) {
    if (optind >= argc) {
      complain(argv, optstring, "%s: option '--%s' requires an argument\n", option->name);
      return *optstring == ':' ? ':' : '?';
    }
    optarg = argv[optind++];
  }
  if (index)
    *index = found;
  if (!option->flag)
    return option->value;
  *option->flag = option->value;
  return 0;
}

static int short_option(int argc, char *const argv[], const char *optstring) {
  char letter = *cluster++, name[2] = {letter, 0};
  const char *known = letter == ':' || letter == ';' ? NULL : strchr(optstring, letter);
  if (!*cluster) {
    cluster = NULL;
    optind++;
  }
  if (!known) {
    optopt = letter;
    return complain(argv, optstring, "%s: invalid option -- '%s'\n", name);
  }
  if (known[1] != ':')
    return letter;
  if (cluster) {
    optarg = (char *)cluster;
    cluster = NULL;
    optind++;
  } else if (known[2] != ':') {
    if (optind >= argc) {
      optopt = letter;
      complain(argv, optstring, "%s: option requires an argument -- '%s'\n", name);
      return *optstring == ':' ? ':' : '?';
    }
    optarg = argv[optind++];
  }
  return letter;
}

int getopt_long(int argc, char *const argv[], const char *optstring, const struct option *options, int *index) {
  int in_order = *optstring == '+' || *optstring == '-', return_all = *optstring == '-';
  optarg = NULL;
  if (optind == 0) {
    optind = 1;
    cluster = NULL;
    first = last = 0;
  }
  if (in_order)
    optstring++;
  if (!cluster) {
    // The program may have begun anew.
    if (last == 0 || last > optind)
      last = optind;
    if (first == 0 || first > optind)
      first = optind;
    if (!in_order) {
      permute((char **)argv);
      while (optind < argc && !is_option(argv[optind]))
        optind++;
      last = optind;
    }
    if (optind < argc && strcmp(argv[optind], "--") == 0) {
      optind++;
      permute((char **)argv);
      optind = first;
      return -1;
    }
    if (optind >= argc) {
      if (!in_order)
        optind = first;
      return -1;
    }
    if (!is_option(argv[optind])) {
      if (!return_all)
        return -1;
      optarg = argv[optind++];
      return 1;
    }
    if (options && argv[optind][1] == '-')
      return long_option(argc, argv, optstring, options, index, argv[optind++] + 2);
    cluster = argv[optind] + 1;
  }
  return short_option(argc, argv, optstring);
}

int getopt(int argc, char *const argv[], const char *optstring) { return getopt_long(argc, argv, optstring, NULL, NULL); }
int __posix_getopt(int argc, char *const argv[], const char *optstring) { return getopt(argc, argv, optstring); }
