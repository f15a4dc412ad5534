# portaudio portaudio portaudio/src/common/pa_ringbuffer.c
# off by one: there is room for one element more than there is
s/return ( rbuf->bufferSize - PaUtil_GetRingBufferReadAvailable(rbuf));/return ( rbuf->bufferSize + 1 - PaUtil_GetRingBufferReadAvailable(rbuf));/
