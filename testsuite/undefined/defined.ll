; Operations that have a result whatever they are given, and what is declared about values and not made use of.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i64 @fshl(i64 %a, i64 %b, i64 %c) noinline optnone {
  %r = call i64 @llvm.fshl.i64(i64 %a, i64 %b, i64 %c)
  ret i64 %r
}
define i64 @fshr(i64 %a, i64 %b, i64 %c) noinline optnone {
  %r = call i64 @llvm.fshr.i64(i64 %a, i64 %b, i64 %c)
  ret i64 %r
}
define i64 @sadd_sat(i64 %a, i64 %b) noinline optnone {
  %r = call i64 @llvm.sadd.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}
define i64 @uadd_sat(i64 %a, i64 %b) noinline optnone {
  %r = call i64 @llvm.uadd.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}
define i64 @ssub_sat(i64 %a, i64 %b) noinline optnone {
  %r = call i64 @llvm.ssub.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}
define i64 @usub_sat(i64 %a, i64 %b) noinline optnone {
  %r = call i64 @llvm.usub.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}
define i64 @sadd_overflows(i64 %a, i64 %b) noinline optnone {
  %both = call {i64, i1} @llvm.sadd.with.overflow.i64(i64 %a, i64 %b)
  %over = extractvalue {i64, i1} %both, 1
  %r = zext i1 %over to i64
  ret i64 %r
}
define i64 @sadd_wrapped(i64 %a, i64 %b) noinline optnone {
  %both = call {i64, i1} @llvm.sadd.with.overflow.i64(i64 %a, i64 %b)
  %r = extractvalue {i64, i1} %both, 0
  ret i64 %r
}
define i64 @umul_overflows(i64 %a, i64 %b) noinline optnone {
  %both = call {i64, i1} @llvm.umul.with.overflow.i64(i64 %a, i64 %b)
  %over = extractvalue {i64, i1} %both, 1
  %r = zext i1 %over to i64
  ret i64 %r
}
define i64 @umin(i64 %a, i64 %b) noinline optnone {
  %r = call i64 @llvm.umin.i64(i64 %a, i64 %b)
  ret i64 %r
}
define i64 @smax(i64 %a, i64 %b) noinline optnone {
  %r = call i64 @llvm.smax.i64(i64 %a, i64 %b)
  ret i64 %r
}
define i64 @abs_wraps(i64 %a) noinline optnone {
  %r = call i64 @llvm.abs.i64(i64 %a, i1 false)
  ret i64 %r
}
define i64 @clz_of_all(i64 %a) noinline optnone {
  %r = call i64 @llvm.ctlz.i64(i64 %a, i1 false)
  ret i64 %r
}
define i64 @fptosi_sat(double %x) noinline optnone {
  %r = call i64 @llvm.fptosi.sat.i64.f64(double %x)
  ret i64 %r
}
define i64 @fptoui_sat(double %x) noinline optnone {
  %r = call i64 @llvm.fptoui.sat.i64.f64(double %x)
  ret i64 %r
}
define i64 @very_wide(i64 %a) noinline optnone {
  %x = zext nneg i64 %a to i256
  %l = shl nuw nsw i256 %x, 200
  %o = or disjoint i256 %l, %l
  %s = lshr exact i256 %o, 200
  %r = trunc nuw nsw i256 %s to i64
  ret i64 %r
}
define double @select_nnan(i64 %c, double %x, double %y) noinline optnone {
  %d = icmp ne i64 %c, 0
  %r = select nnan ninf i1 %d, double %x, double %y
  ret double %r
}
define double @phi_nnan(i64 %c, double %x, double %y) noinline optnone {
  %d = icmp ne i64 %c, 0
  br i1 %d, label %one, label %two
one:
  br label %end
two:
  br label %end
end:
  %r = phi nnan ninf double [%x, %one], [%y, %two]
  ret double %r
}
define double @identity(double %x) noinline optnone {
  ret double %x
}
define double @call_nnan(double %x) noinline optnone {
  %r = call nnan ninf double @identity(double %x)
  ret double %r
}
define double @add_nsz(double %x, double %y) noinline optnone {
  %r = fadd nsz double %x, %y
  ret double %r
}
define double @divide_arcp(double %x, double %y) noinline optnone {
  %r = fdiv arcp double %x, %y
  ret double %r
}
define double @multiply_add(double %x, double %y, double %z) noinline optnone {
  %p = fmul contract reassoc double %x, %y
  %r = fadd contract reassoc double %p, %z
  ret double %r
}
define double @root_afn(double %x) noinline optnone {
  %r = call afn double @llvm.sqrt.f64(double %x)
  ret double %r
}
define i64 @there_and_back(ptr %p, i64 %n) noinline optnone {
  %m = sub i64 0, %n
  %q = getelementptr inbounds i64, ptr %p, i64 %n
  %s = getelementptr inbounds nuw i64, ptr %q, i64 %m
  %r = load i64, ptr %s
  ret i64 %r
}
define i64 @loaded(ptr %p) noinline optnone {
  %q = getelementptr i8, ptr %p, i64 1
  store i64 7, ptr %q, align 8
  %r = load i64, ptr %q, align 16, !range !0, !noundef !1
  ret i64 %r
}
define i64 @null_loaded(ptr %p) noinline optnone {
  store ptr null, ptr %p
  %q = load ptr, ptr %p, !nonnull !1, !align !2, !dereferenceable !2, !noundef !1
  %r = ptrtoint ptr %q to i64
  ret i64 %r
}
define i64 @no_alias(ptr noalias %p, ptr noalias %q) noinline optnone {
  store i64 1, ptr %p, !alias.scope !5, !tbaa !6
  store i64 2, ptr %q, !noalias !5, !tbaa !9
  %r = load i64, ptr %p, !invariant.load !1, !tbaa !6
  ret i64 %r
}
define nonnull align 64 ptr @parameters(ptr noundef nonnull align 64 dereferenceable(64) %p, i64 range(i64 0, 5) %i, double nofpclass(nan inf) %x) noinline optnone {
  ret ptr %p
}
define range(i64 0, 5) i64 @result(i64 %a) noinline optnone {
  ret i64 %a
}
@counter = internal global i64 0
define i64 @attributes() noinline optnone nounwind willreturn mustprogress memory(none) {
  %old = load i64, ptr @counter
  %new = add i64 %old, 1
  store i64 %new, ptr @counter
  ret i64 %new
}
define i64 @comes_back(i64 %a) noinline optnone noreturn {
  ret i64 %a
}
define i64 @assumed_aligned(ptr %p) noinline optnone {
  call void @llvm.assume(i1 true) ["align"(ptr %p, i64 64), "nonnull"(ptr null), "dereferenceable"(ptr %p, i64 4096)]
  %r = load i8, ptr %p
  %w = zext i8 %r to i64
  ret i64 %w
}
define i64 @masked(i64 %a) noinline optnone {
  %p = alloca i64
  %u = load volatile i64, ptr %p
  %m = and i64 %u, 0
  %r = or i64 %m, %a
  ret i64 %r
}
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i64 @llvm.fshr.i64(i64, i64, i64)
declare i64 @llvm.sadd.sat.i64(i64, i64)
declare i64 @llvm.uadd.sat.i64(i64, i64)
declare i64 @llvm.ssub.sat.i64(i64, i64)
declare i64 @llvm.usub.sat.i64(i64, i64)
declare {i64, i1} @llvm.sadd.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.umul.with.overflow.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.fptosi.sat.i64.f64(double)
declare i64 @llvm.fptoui.sat.i64.f64(double)
declare double @llvm.sqrt.f64(double)
declare void @llvm.assume(i1)
!0 = !{i64 0, i64 5}
!1 = !{}
!2 = !{i64 64}
!3 = distinct !{!3}
!4 = distinct !{!4, !3}
!5 = !{!4}
!6 = !{!7, !7, i64 0}
!7 = !{!"long", !8}
!8 = !{!"root"}
!9 = !{!10, !10, i64 0}
!10 = !{!"double", !8}
