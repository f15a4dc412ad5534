# portaudio portaudio portaudio/src/common/pa_ringbuffer.c
# no fence between the elements and the index that shows them
/PaUtil_WriteMemoryBarrier/d
