; Operations that declare what never happens; a program calls them by name.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i64 @add_nuw(i64 %a, i64 %b) noinline optnone {
  %r = add nuw i64 %a, %b
  ret i64 %r
}
define i64 @sub_nuw(i64 %a, i64 %b) noinline optnone {
  %r = sub nuw i64 %a, %b
  ret i64 %r
}
define i64 @mul_nuw(i64 %a, i64 %b) noinline optnone {
  %r = mul nuw i64 %a, %b
  ret i64 %r
}
define i64 @shl_nuw(i64 %a, i64 %b) noinline optnone {
  %r = shl nuw i64 %a, %b
  ret i64 %r
}
define i64 @shl_nsw(i64 %a, i64 %b) noinline optnone {
  %r = shl nsw i64 %a, %b
  ret i64 %r
}
define i64 @lshr_exact(i64 %a, i64 %b) noinline optnone {
  %r = lshr exact i64 %a, %b
  ret i64 %r
}
define i64 @ashr_exact(i64 %a, i64 %b) noinline optnone {
  %r = ashr exact i64 %a, %b
  ret i64 %r
}
define i64 @udiv_exact(i64 %a, i64 %b) noinline optnone {
  %r = udiv exact i64 %a, %b
  ret i64 %r
}
define i64 @sdiv_exact(i64 %a, i64 %b) noinline optnone {
  %r = sdiv exact i64 %a, %b
  ret i64 %r
}
define i64 @or_disjoint(i64 %a, i64 %b) noinline optnone {
  %r = or disjoint i64 %a, %b
  ret i64 %r
}
define i64 @zext_nneg(i64 %a, i64 %b) noinline optnone {
  %n = trunc i64 %a to i32
  %r = zext nneg i32 %n to i64
  ret i64 %r
}
define i64 @trunc_nuw(i64 %a, i64 %b) noinline optnone {
  %n = trunc nuw i64 %a to i8
  %r = zext i8 %n to i64
  ret i64 %r
}
define i64 @trunc_nsw(i64 %a, i64 %b) noinline optnone {
  %n = trunc nsw i64 %a to i8
  %r = sext i8 %n to i64
  ret i64 %r
}
define i64 @wide_add_nuw(i64 %a, i64 %b) noinline optnone {
  %x = sext i64 %a to i128
  %y = sext i64 %b to i128
  %s = add nuw i128 %x, %y
  %r = trunc i128 %s to i64
  ret i64 %r
}
define i64 @vector_add_nuw(i64 %a, i64 %b) noinline optnone {
  %x = insertelement <2 x i64> zeroinitializer, i64 %a, i32 1
  %y = insertelement <2 x i64> zeroinitializer, i64 %b, i32 1
  %s = add nuw <2 x i64> %x, %y
  %r = extractelement <2 x i64> %s, i32 1
  ret i64 %r
}
define i64 @uitofp_nneg(i64 %a, i64 %b) noinline optnone {
  %f = uitofp nneg i64 %a to double
  %r = bitcast double %f to i64
  ret i64 %r
}
define i64 @fadd_nnan(i64 %a, i64 %b) noinline optnone {
  %x = bitcast i64 %a to double
  %y = bitcast i64 %b to double
  %s = fadd nnan double %x, %y
  %r = bitcast double %s to i64
  ret i64 %r
}
define i64 @fadd_ninf(i64 %a, i64 %b) noinline optnone {
  %x = bitcast i64 %a to double
  %y = bitcast i64 %b to double
  %s = fadd ninf double %x, %y
  %r = bitcast double %s to i64
  ret i64 %r
}
define i64 @fcmp_nnan(i64 %a, i64 %b) noinline optnone {
  %x = bitcast i64 %a to double
  %y = bitcast i64 %b to double
  %c = fcmp nnan uno double %x, %y
  %r = zext i1 %c to i64
  ret i64 %r
}
define i64 @abs_int_min(i64 %a, i64 %b) noinline optnone {
  %x = sext i64 %a to i128
  %m = shl i128 %x, 64
  %s = call i128 @llvm.abs.i128(i128 %m, i1 true)
  %h = lshr i128 %s, 64
  %r = trunc i128 %h to i64
  ret i64 %r
}
define i64 @ushl_sat(i64 %a, i64 %b) noinline optnone {
  %r = call i64 @llvm.ushl.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}
define i64 @extracted(i64 %a, i64 %b) noinline optnone {
  %v = insertelement <4 x i64> zeroinitializer, i64 %a, i32 0
  %r = extractelement <4 x i64> %v, i64 %b
  ret i64 %r
}
define i64 @shuffled(i64 %a, i64 %b) noinline optnone {
  %v = insertelement <2 x i64> zeroinitializer, i64 %a, i32 0
  %s = shufflevector <2 x i64> %v, <2 x i64> poison, <2 x i32> <i32 0, i32 poison>
  %r = extractelement <2 x i64> %s, i64 %b
  ret i64 %r
}
define i64 @undef_constant(i64 %a, i64 %b) noinline optnone {
  %c = icmp ult i64 %b, 2
  %r = select i1 %c, i64 %a, i64 undef
  ret i64 %r
}
define i64 @poison_constant(i64 %a, i64 %b) noinline optnone {
  %c = icmp ult i64 %b, 2
  %r = select i1 %c, i64 %a, i64 poison
  ret i64 %r
}
define i64 @never_written(i64 %a, i64 %b) noinline optnone {
  %p = alloca [2 x i64]
  store volatile i64 %a, ptr %p
  %q = getelementptr i64, ptr %p, i64 %b
  %r = load volatile i64, ptr %q
  ret i64 %r
}
define i64 @inserted_beyond(i64 %a, i64 %b) noinline optnone {
  %inside = insertelement <2 x i64> zeroinitializer, i64 %a, i32 1
  %beyond = insertelement <2 x i64> %inside, i64 %a, i32 2
  %i = extractelement <2 x i64> %inside, i32 1
  %o = extractelement <2 x i64> %beyond, i32 1
  %c = icmp ult i64 %b, 2
  %r = select i1 %c, i64 %i, i64 %o
  ret i64 %r
}
define i64 @selected(i64 %a, i64 %b) noinline optnone {
  %p = alloca i64
  %q = load volatile i64, ptr %p
  %c = trunc i64 %q to i1
  %d = icmp eq i64 %b, 0
  %e = select i1 %d, i1 true, i1 %c
  %r = select i1 %e, i64 %a, i64 5
  ret i64 %r
}
define i64 @abs_smallest(i64 %a, i64 %b) noinline optnone {
  %r = call i64 @llvm.abs.i64(i64 %a, i1 true)
  ret i64 %r
}
define i64 @sshl_sat(i64 %a, i64 %b) noinline optnone {
  %r = call i64 @llvm.sshl.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}
define i64 @divided(i64 %a, i64 %b) noinline optnone {
  %r = sdiv i64 %a, %b
  ret i64 %r
}
define i64 @divided_unsigned(i64 %a, i64 %b) noinline optnone {
  %r = udiv i64 %a, %b
  ret i64 %r
}
define i64 @shifted(i64 %a, i64 %b) noinline optnone {
  %r = lshr i64 %a, %b
  ret i64 %r
}
define i64 @converted(i64 %a, i64 %b) noinline optnone {
  %x = bitcast i64 %a to double
  %r = fptosi double %x to i64
  ret i64 %r
}
define i64 @converted_unsigned(i64 %a, i64 %b) noinline optnone {
  %x = bitcast i64 %a to double
  %r = fptoui double %x to i64
  ret i64 %r
}
define i64 @rounded(i64 %a, i64 %b) noinline optnone {
  %x = bitcast i64 %a to double
  %r = call i64 @llvm.lround.i64.f64(double %x)
  ret i64 %r
}
define i64 @copied(i64 %a, i64 %b) noinline optnone {
  %p = alloca [4 x i64]
  store [4 x i64] zeroinitializer, ptr %p
  store volatile i64 %a, ptr %p
  %from = getelementptr i8, ptr %p, i64 %b
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %from, i64 16, i1 false)
  %r = load volatile i64, ptr %p
  ret i64 %r
}
define i64 @new_content(i64 %a, i64 %b) noinline optnone {
  %p = alloca i64
  call void @llvm.lifetime.start.p0(i64 8, ptr %p)
  store volatile i64 %a, ptr %p
  %c = icmp eq i64 %b, 0
  br i1 %c, label %same, label %new
new:
  call void @llvm.lifetime.end.p0(i64 8, ptr %p)
  call void @llvm.lifetime.start.p0(i64 8, ptr %p)
  br label %same
same:
  %r = load volatile i64, ptr %p
  ret i64 %r
}
define i64 @after_the_end(i64 %a, i64 %b) noinline optnone {
  %p = alloca i64
  call void @llvm.lifetime.start.p0(i64 8, ptr %p)
  store volatile i64 %a, ptr %p
  %c = icmp eq i64 %b, 0
  br i1 %c, label %alive, label %ended
ended:
  call void @llvm.lifetime.end.p0(i64 8, ptr %p)
  br label %alive
alive:
  %r = load volatile i64, ptr %p
  ret i64 %r
}
define i64 @other_space(i64 %a, i64 %b) noinline optnone {
  %p = alloca i64
  store volatile i64 %a, ptr %p
  %c = icmp eq i64 %b, 0
  br i1 %c, label %here, label %there
there:
  %q = addrspacecast ptr %p to ptr addrspace(1)
  %x = load volatile i64, ptr addrspace(1) %q
  br label %here
here:
  %r = load volatile i64, ptr %p
  ret i64 %r
}
define i64 @inserted_computed(i64 %a, i64 %b) noinline optnone {
  %v = insertelement <2 x i64> zeroinitializer, i64 %a, i64 %b
  %r = extractelement <2 x i64> %v, i32 0
  ret i64 %r
}
define i64 @jumped(i64 %a, i64 %b) noinline optnone {
  %p = alloca ptr
  %c = icmp ugt i64 %b, 1
  br i1 %c, label %jump, label %set
set:
  %t = select i1 %c, ptr blockaddress(@jumped, %other), ptr blockaddress(@jumped, %one)
  store volatile ptr %t, ptr %p
  br label %jump
jump:
  %q = load volatile ptr, ptr %p
  indirectbr ptr %q, [label %one, label %other]
one:
  ret i64 %a
other:
  ret i64 0
}
define i64 @very_wide(i64 %a, i64 %b) noinline optnone {
  %c = icmp eq i64 %b, 0
  br i1 %c, label %end, label %wide
wide:
  %x = zext i64 %a to i256
  %y = zext i64 %b to i256
  %s = add nuw i256 %x, %y
  %t = trunc i256 %s to i64
  br label %end
end:
  %r = phi i64 [%a, %0], [%t, %wide]
  ret i64 %r
}
define i64 @frozen(i64 %a, i64 %b) noinline optnone {
  %c = icmp ult i64 %b, 2
  %x = select i1 %c, i64 %a, i64 poison
  %r = freeze i64 %x
  ret i64 %r
}
declare i128 @llvm.abs.i128(i128, i1)
declare i64 @llvm.ushl.sat.i64(i64, i64)
declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.sshl.sat.i64(i64, i64)
declare i64 @llvm.lround.i64.f64(double)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
