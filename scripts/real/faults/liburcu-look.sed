# liburcu urcu-grace userspace-rcu-0.13.2/src/urcu.c
# the writer does not look whether readers are there
/wait_for_readers(&registry, &cur_snap_readers, &qsreaders);/d
