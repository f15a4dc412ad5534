# ck ck-assembly ck-0.7.1/include/ck_ring.h
# the index that shows an element is written before the element
/^_ck_ring_enqueue_sp(/,/^}/s/	memcpy(buffer, entry, ts);/	ck_pr_store_uint(\&ring->p_tail, delta);\n&/
