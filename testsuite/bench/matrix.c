// Multiplication of matrices: loads at two strides, integer arithmetic. (lli's interpreter knows no fused multiply-add,
// which clang would make of floating point.)
#include <assert.h>
#define N 128
static int a[N][N], b[N][N], c[N][N];

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = i + j;
      b[i][j] = i == j ? 2 : 0;
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int sum = 0;
      for (int k = 0; k < N; k++)
        sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      assert(c[i][j] == 2 * (i + j)); // b is twice the identity
  return 0;
}
