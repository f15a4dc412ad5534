# zstd_pool zstd-pool zstd-1.5.4/lib/common/pool.c
# the signal for a new job is left out
/^POOL_add_internal/,/^}/{
/cond_signal/d
}
