# zstd_pool zstd-pool zstd-1.5.4/lib/common/pool.c
# `if` for `while` around the wait for a job
s/while ( ctx->queueEmpty/if ( ctx->queueEmpty/
