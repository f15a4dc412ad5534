# reader_writer_queue reader-writer readerwriterqueue-1.0.6/readerwriterqueue.h
# no fence between an element and the index that shows it
/size_t nextBlockTail = (blockTail + 1)/,/tailBlock_->tail = nextBlockTail/{
/fence(memory_order_release)/d
}
