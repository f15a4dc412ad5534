; Functions that wait for a flag. A turn of their loops leaves a value undefined that was defined before it, or not.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)

@flag = internal global i32 0

define internal ptr @sets(ptr %arg) {
  store atomic i32 1, ptr @flag seq_cst, align 4
  ret ptr null
}

; Looked at behind the loop.
define i32 @looks() {
entry:
  %thread = alloca i64
  %created = call i32 @pthread_create(ptr %thread, ptr null, ptr @sets, ptr null)
  br label %loop
loop:
  %value = phi i32 [ 0, %entry ], [ undef, %turn ]
  %seen = load atomic i32, ptr @flag seq_cst, align 4
  %set = icmp ne i32 %seen, 0
  br i1 %set, label %done, label %turn
turn:
  br label %loop
done:
  %zero = icmp eq i32 %value, 0
  br i1 %zero, label %leave, label %other
other:
  br label %leave
leave:
  %result = phi i32 [ 0, %done ], [ 1, %other ]
  %id = load i64, ptr %thread
  %joined = call i32 @pthread_join(i64 %id, ptr null)
  ret i32 %result
}

; Never defined, and copied only.
define i32 @copies() {
entry:
  %thread = alloca i64
  %created = call i32 @pthread_create(ptr %thread, ptr null, ptr @sets, ptr null)
  br label %loop
loop:
  %value = phi i32 [ undef, %entry ], [ %next, %turn ]
  %next = phi i32 [ undef, %entry ], [ %value, %turn ]
  %turns = phi i32 [ 0, %entry ], [ %more, %turn ]
  %seen = load atomic i32, ptr @flag seq_cst, align 4
  %set = icmp ne i32 %seen, 0
  br i1 %set, label %done, label %turn
turn:
  %more = xor i32 %turns, 1
  br label %loop
done:
  %id = load i64, ptr %thread
  %joined = call i32 @pthread_join(i64 %id, ptr null)
  %never = icmp eq i32 %seen, 7
  %result = select i1 %never, i32 %value, i32 0
  ret i32 %result
}
