//@ verdict: unknown(is for the library's own code)
//@ revisions: close take put
//@[close] cflags: -DDO=__verify_queue_close(&queue,0,8632926208)
//@[take] cflags: -DDO=__verify_queue_take(&queue,7,0L,0,8L,&queue,1L,0L)
//@[put] cflags: -DDO=__verify_queue_put(&queue,1,&queue,0L,8L,1L,-1L)
// The functions that the library's code is written with are nothing that a program should call; a fuzzer did.
// (With a second argument that no rules of queues have, and others that nothing has.)
long __verify_queue_close(void *queue, long kind, long end);
long __verify_queue_take(void *queue, long kind, long which, int flags, long size, void *to, long room, long patience);
long __verify_queue_put(void *queue, long kind, void *message, long tag, long size, long room, long patience);
static long queue;

int main(void) {
  DO;
  return 0;
}
