# xz xz-encoder xz-5.4.1/src/liblzma/common/stream_encoder_mt.c
# a worker does not tell the main thread that a block is done
/^worker_start/,/^}/{
/cond_signal(&thr->coder->cond)/d
}
