# reader_writer_queue reader-writer readerwriterqueue-1.0.6/readerwriterqueue.h
# an index off by one: the reader starts the next block at its second element
/^	bool try_dequeue/,/^	}/s/nextBlockFront = nextBlock->front.load();/nextBlockFront = (nextBlock->front.load() + 1) \& nextBlock->sizeMask;/
