# redis redis redis-7.0.15/src/bio.c
# who waits for a job to be done is not told
/pthread_cond_broadcast(&bio_step_cond/d
