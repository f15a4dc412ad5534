; Functions that wait for a flag. A turn of their loops begins the life of a variable that lives already, and ends it.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)

@flag = internal global i32 0

define internal ptr @sets(ptr %arg) {
  store atomic i32 1, ptr @flag seq_cst, align 4
  ret ptr null
}

define i32 @twice() {
entry:
  %thread = alloca i64
  %v = alloca [2 x i32]
  call void @llvm.lifetime.start.p0(i64 8, ptr %v)
  store i32 0, ptr %v
  %created = call i32 @pthread_create(ptr %thread, ptr null, ptr @sets, ptr null)
  br label %loop
loop:
  %seen = load atomic i32, ptr @flag seq_cst, align 4
  %set = icmp ne i32 %seen, 0
  br i1 %set, label %done, label %turn
turn:
  call void @llvm.lifetime.start.p0(i64 8, ptr %v)
  store i32 1, ptr %v
  call void @llvm.lifetime.end.p0(i64 8, ptr %v)
  br label %loop
done:
  %id = load i64, ptr %thread
  %joined = call i32 @pthread_join(i64 %id, ptr null)
  %result = load i32, ptr %v
  ret i32 %result
}

define i32 @early() {
entry:
  %thread = alloca i64
  %v = alloca [2 x i32]
  store i32 0, ptr %v
  %created = call i32 @pthread_create(ptr %thread, ptr null, ptr @sets, ptr null)
  br label %loop
loop:
  %seen = load atomic i32, ptr @flag seq_cst, align 4
  %set = icmp ne i32 %seen, 0
  br i1 %set, label %done, label %turn
turn:
  call void @llvm.lifetime.start.p0(i64 8, ptr %v)
  store i32 1, ptr %v
  call void @llvm.lifetime.end.p0(i64 8, ptr %v)
  br label %loop
done:
  %id = load i64, ptr %thread
  %joined = call i32 @pthread_join(i64 %id, ptr null)
  %result = load i32, ptr %v
  ret i32 %result
}
