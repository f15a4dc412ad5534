# liburcu urcu-grace userspace-rcu-0.13.2/src/urcu.c
# the second wait for readers is left out
/wait_for_readers(&cur_snap_readers, NULL, &qsreaders);/d
