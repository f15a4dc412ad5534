// Sorting and searching with a comparison of the program's.
#include "library.h"

typedef int Compare(const void *, const void *);
typedef int CompareWith(const void *, const void *, void *);

static void copy(char *to, const char *from, size_t size) { __builtin_memcpy(to, from, size); }

// Merges neighbours of `width` elements from one array into another one; the first of equal elements stays first.
static void merge(char *to, char *from, size_t count, size_t size, size_t width, CompareWith *compare, void *context) {
  for (size_t low = 0; low < count; low += 2 * width) {
    size_t middle = count - low < width ? count : low + width;
    size_t high = count - middle < width ? count : middle + width;
    size_t left = low, right = middle;
    for (size_t place = low; place < high; place++) {
      int take_left = left < middle
                      && (right == high || compare(from + left * size, from + right * size, context) <= 0);
      copy(to + place * size, from + (take_left ? left++ : right++) * size, size);
    }
  }
}

// Bottom-up, so that the elements that are compared are whole all the time, whatever the comparison does.
void qsort_r(void *base, size_t count, size_t size, CompareWith *compare, void *context) {
  if (count < 2 || size == 0)
    return;
  char room[count * size];
  char *from = base, *to = room;
  for (size_t width = 1; width < count; width *= 2) {
    merge(to, from, count, size, width, compare, context);
    char *swapped = from;
    from = to;
    to = swapped;
  }
  if (from == room)
    copy(base, room, count * size);
}

static int without_context(const void *a, const void *b, void *compare) { return ((Compare *)compare)(a, b); }

void qsort(void *base, size_t count, size_t size, Compare *compare) {
  qsort_r(base, count, size, without_context, (void *)compare);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, Compare *compare) {
  const char *low = base;
  while (count > 0) {
    const char *middle = low + count / 2 * size;
    int order = compare(key, middle);
    if (order == 0)
      return (void *)middle;
    if (order > 0) {
      low = middle + size;
      count--;
    }
    count /= 2;
  }
  return NULL;
}

void *lfind(const void *key, const void *base, size_t *count, size_t size, Compare *compare) {
  const char *element = base;
  for (size_t i = 0; i < *count; i++, element += size)
    if (compare(key, element) == 0)
      return (void *)element;
  return NULL;
}

void *lsearch(const void *key, void *base, size_t *count, size_t size, Compare *compare) {
  void *found = lfind(key, base, count, size, compare);
  if (found)
    return found;
  char *end = (char *)base + *count * size;
  copy(end, key, size);
  ++*count;
  return end;
}
