target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; A swap on the back edge needs a third place.
define i32 @swap(i32 %n) {
entry:
  br label %loop
loop:
  %a = phi i32 [ 1, %entry ], [ %b, %loop ]
  %b = phi i32 [ 2, %entry ], [ %a, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret i32 %a
}

; The value of the last round is needed after the phi has got the next one.
define i32 @last(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret i32 %i
}

; One undefined value, and one of two words.
define i128 @words(i1 %c, i128 %x) {
entry:
  br i1 %c, label %left, label %join
left:
  br label %join
join:
  %w = phi i128 [ %x, %left ], [ 18446744073709551616, %entry ]
  %u = phi i32 [ undef, %left ], [ 3, %entry ]
  %z = zext i32 %u to i128
  %r = add i128 %w, %z
  ret i128 %r
}

; The targets of a computed goto have phis of their own.
define i32 @computed(ptr %p, i32 %x) {
entry:
  br label %dispatch
dispatch:
  %n = phi i32 [ 0, %entry ], [ %m, %a ]
  indirectbr ptr %p, [label %a, label %b]
a:
  %m = phi i32 [ %x, %dispatch ]
  br label %dispatch
b:
  %r = phi i32 [ %n, %dispatch ]
  ret i32 %r
}
@keep = global [2 x ptr] [ptr blockaddress(@computed, %a), ptr blockaddress(@computed, %b)]

define i32 @main() {
  ret i32 0
}
