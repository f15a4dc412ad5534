# minimap2 minimap2-pipeline minimap2-2.24/kthread.c
# the other threads are not told that a step is done
/pthread_cond_broadcast/d
