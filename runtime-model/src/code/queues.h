// Queues of messages, for the files that keep track of them. A queue is known by its address; the machine knows the
// rest.
#pragma once
#include "library.h"

typedef struct {
  long number; // for reports
} Queue;

enum Kind { SYSTEM_V, PRIORITY, STREAM };
enum Patience { FOREVER, FOR_A_TIME, NEVER };
enum Part { READING, WRITING, BOTH };
enum { EXCEPT = 1, CUT = 2 };
enum { NO_WAIT = 04000 };

// 0, an error number, or COPIED: the stream holds the bytes, not the message.
unsigned long __verify_queue_put(Queue *, enum Kind, const void *message, unsigned long tag, size_t size, unsigned room, enum Patience);
// A message, an error number, 0 at the end of a stream, or how many bytes are in the buffer, negated.
unsigned long __verify_queue_take(
    Queue *, enum Kind, long choice, int flags, size_t size, void *buffer, unsigned room, enum Patience);
void __verify_queue_look(Queue *, enum Kind, unsigned long count_and_bytes[2]);
void __verify_queue_close(Queue *, enum Kind, enum Part);

#define COPIED (~0ul)
#define ERRORS 4096ul
