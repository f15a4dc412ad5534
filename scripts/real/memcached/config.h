// What memcached's `configure` would find out, as far as its sources need it here.
#ifndef CONFIG_H
#define CONFIG_H
#define HAVE_GCC_ATOMICS 1
#define HAVE_UNISTD_H 1
#define ENDIAN_LITTLE 1
#define HAVE_HTONLL 1
#define VERSION "1.6.18"
#include <stdint.h>
#include <stdbool.h>
#include <inttypes.h>
uint64_t htonll(uint64_t);
uint64_t ntohll(uint64_t);
#endif
