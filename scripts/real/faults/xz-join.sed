# xz xz-encoder xz-5.4.1/src/liblzma/common/stream_encoder_mt.c
# memory is freed without waiting for the end of the threads that use it
s/int ret = mythread_join(coder->threads\[i\].thread_id);/int ret = 0;/
