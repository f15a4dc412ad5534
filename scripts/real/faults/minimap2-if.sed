# minimap2 minimap2-pipeline minimap2-2.24/kthread.c
# a thread that was woken does not look again whether it may go on
s/pthread_cond_wait(&p->cv, &p->mutex);/{ & break; }/
