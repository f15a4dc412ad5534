# redis redis redis-7.0.15/src/bio.c
# the lock around the list of jobs is taken out where a job is submitted
/^void bioSubmitJob/,/^}/{
/pthread_mutex_/d
}
