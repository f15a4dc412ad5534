# ck ck-assembly ck-0.7.1/include/ck_ring.h
# an index off by one: the consumer goes on two elements
/^_ck_ring_dequeue_sc(/,/^}/s/consumer + 1/consumer + 2/
