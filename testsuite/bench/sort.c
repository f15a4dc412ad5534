// Quicksort by recursion, with insertion sort for short ranges: calls, branches that depend on data, swaps.
#include <assert.h>
#define N 200000
static int values[N];

static void sort(int low, int high) {
  while (high - low > 16) {
    int pivot = values[low + (high - low) / 2], i = low, j = high;
    while (i <= j) {
      while (values[i] < pivot)
        i++;
      while (pivot < values[j])
        j--;
      if (i <= j) {
        int swapped = values[i];
        values[i++] = values[j];
        values[j--] = swapped;
      }
    }
    if (j - low < high - i) {
      sort(low, j);
      low = i;
    } else {
      sort(i, high);
      high = j;
    }
  }
  for (int i = low + 1; i <= high; i++) {
    int value = values[i], j = i - 1;
    for (; j >= low && values[j] > value; j--)
      values[j + 1] = values[j];
    values[j + 1] = value;
  }
}

int main(void) {
  unsigned random = 1;
  for (int i = 0; i < N; i++) {
    random = random * 1103515245u + 12345u;
    values[i] = (int)(random >> 8);
  }
  sort(0, N - 1);
  for (int i = 1; i < N; i++)
    assert(values[i - 1] <= values[i]);
  return 0;
}
