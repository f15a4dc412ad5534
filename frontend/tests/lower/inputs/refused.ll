target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@__weak = extern_weak global i32
@chosen = ifunc i32 (i32), ptr @resolver
define ptr @resolver() {
  ret ptr null
}
define i32 @call_chosen(i32 %x) {
  %r = call i32 @chosen(i32 %x)
  ret i32 %r
}
define i32 @parts(half %h, i32 %x, ptr %p) {
  %big = load i256, ptr %p
  %more = add i256 %big, %big
  store i256 %more, ptr %p
  %sum = fadd half %h, %h
  store half %sum, ptr %p
  %clock = call i64 @llvm.readcyclecounter()
  store i64 %clock, ptr %p
  %segment = load i32, ptr addrspace(257) null
  %here = icmp eq ptr @__weak, null
  %r = select i1 %here, i32 %x, i32 %segment
  ret i32 %r
}
define <vscale x 4 x i32> @whole(<vscale x 4 x i32> %x) {
  ret <vscale x 4 x i32> %x
}
declare i64 @llvm.readcyclecounter()

define i32 @main() {
  ret i32 0
}
