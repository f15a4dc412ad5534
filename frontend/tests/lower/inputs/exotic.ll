target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%record = type <{ i8, i32, [2 x i16] }>
%outer = type { i32, %record, ptr, <4 x i32> }
@number = global i32 5
@row = global [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@distance = global i64 sub (i64 ptrtoint (ptr getelementptr inbounds ([4 x i32], ptr @row, i64 0, i64 2) to i64), i64 ptrtoint (ptr @number to i64))
@short_distance = global i32 trunc (i64 sub (i64 ptrtoint (ptr @number to i64), i64 ptrtoint (ptr @short_distance to i64)) to i32)
@further = global ptr getelementptr inbounds (i8, ptr @row, i64 8)
@structure = global %outer { i32 1, %record <{ i8 1, i32 2, [2 x i16] [i16 3, i16 4] }>, ptr @row, <4 x i32> <i32 1, i32 2, i32 3, i32 4> }
@nothing = global { i32, i32 } { i32 undef, i32 poison }
@i128 = global i128 -170141183460469231731687303715884105728
@x87 = global x86_fp80 0xK3FFF8000000000000000
@quiet = global double 0x7FF8000000000123
@bits = global <8 x i1> <i1 1, i1 0, i1 1, i1 1, i1 0, i1 0, i1 0, i1 1>
@fixed = global ptr inttoptr (i64 4096 to ptr)
@thread = thread_local(initialexec) global i32 3
@renamed = alias i32, getelementptr inbounds ([4 x i32], ptr @row, i64 0, i64 1)
@also = alias i32 (i32), ptr @identity
@label = global ptr blockaddress(@control, %there)

define i32 @identity(i32 %x) {
  ret i32 %x
}
declare void @may_throw(ptr byval(%outer) align 8, ptr sret(%outer))
declare i32 @personality(...)
declare i1 @llvm.is.constant.i32(i32)
declare void @llvm.assume(i1)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.scatter.v4i32.v4p0(<4 x i32>, <4 x ptr>, i32, <4 x i1>)
declare <4 x i32> @llvm.masked.expandload.v4i32(ptr, <4 x i1>, <4 x i32>)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare float @llvm.vector.reduce.fadd.v2f32(float, <2 x float>)
declare i128 @llvm.fshl.i128(i128, i128, i128)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare i8 @llvm.scmp.i8.i32(i32, i32)
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)

define i64 @values(i32 %x, ptr %p, <4 x i32> %v, float %f, { i32, { i64, ptr } } %agg) {
  %frozen = freeze i32 %x
  %spaced = getelementptr inbounds %outer, ptr %p, i64 1, i32 1, i32 2, i64 1
  %many = getelementptr i32, ptr %p, <4 x i32> %v
  %mask = icmp sgt <4 x i32> %v, zeroinitializer
  %shuffled = shufflevector <4 x i32> %v, <4 x i32> <i32 1, i32 undef, i32 poison, i32 4>, <6 x i32> <i32 0, i32 poison, i32 7, i32 2, i32 poison, i32 1>
  %some = extractelement <6 x i32> %shuffled, i32 %x
  %put = insertelement <4 x i32> %v, i32 %some, i32 %x
  %either = select <4 x i1> %mask, <4 x i32> %v, <4 x i32> %put
  %loaded = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, i32 4, <4 x i1> %mask, <4 x i32> %either)
  %expanded = call <4 x i32> @llvm.masked.expandload.v4i32(ptr %p, <4 x i1> %mask, <4 x i32> %loaded)
  call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> %expanded, <4 x ptr> %many, i32 4, <4 x i1> %mask)
  store <4 x i1> %mask, ptr %p
  %total = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %expanded)
  %floats = insertelement <2 x float> poison, float %f, i32 0
  %reduced = call float @llvm.vector.reduce.fadd.v2f32(float %f, <2 x float> %floats)
  %inner = extractvalue { i32, { i64, ptr } } %agg, 1, 1
  %changed = insertvalue { i32, { i64, ptr } } undef, i64 3, 1, 0
  store { i32, { i64, ptr } } %changed, ptr %inner
  %bits = bitcast <4 x i32> %put to i128
  %turned = call i128 @llvm.fshl.i128(i128 %bits, i128 %bits, i128 7)
  %odd = fptosi float %reduced to i33
  %wider = sext i33 %odd to i64
  %low = trunc i128 %turned to i64
  %masked = call ptr @llvm.ptrmask.p0.i64(ptr %spaced, i64 -16)
  %address = ptrtoint ptr %masked to i64
  %order = call i8 @llvm.scmp.i8.i32(i32 %total, i32 %frozen)
  %known = call i1 @llvm.is.constant.i32(i32 %x)
  call void @llvm.assume(i1 %known)
  %checked = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %x, i32 1)
  store { i32, i1 } %checked, ptr %p
  %strict = call double @llvm.experimental.constrained.fadd.f64(double 1.0, double 2.0, metadata !"round.dynamic", metadata !"fpexcept.strict")
  store double %strict, ptr %p
  %whole = sext i8 %order to i64
  %a = add i64 %whole, %wider
  %b = add i64 %a, %low
  %c = add i64 %b, %address
  ret i64 %c
}

define void @atomics(ptr %p, i1 %c) {
  %single = load atomic i32, ptr %p syncscope("singlethread") acquire, align 4
  %unordered = load atomic i64, ptr %p unordered, align 8
  %weak = cmpxchg weak volatile ptr %p, i32 0, i32 1 acq_rel monotonic, align 4
  %pointer = cmpxchg ptr %p, ptr null, ptr @number seq_cst acquire, align 8
  %wrap = atomicrmw uinc_wrap ptr %p, i32 3 monotonic, align 4
  %largest = atomicrmw fmax ptr %p, float 1.0 seq_cst
  %nand = atomicrmw nand ptr %p, i8 1 acquire
  %swapped = atomicrmw xchg ptr %p, ptr @number acquire
  fence syncscope("singlethread") release
  fence acq_rel
  ret void
}

define i32 @control(i128 %big, ptr %p, ptr %stack) personality ptr @personality {
entry:
  %space = alloca i32, i32 3, align 4
  %next = va_arg ptr %p, i32
  %called = call i32 @also(i32 ptrtoint (ptr @number to i32))
  %through = load i32, ptr @renamed
  %mine = load i32, ptr @thread
  invoke void @may_throw(ptr byval(%outer) align 8 %p, ptr sret(%outer) %stack) to label %normal unwind label %caught
normal:
  callbr void asm sideeffect "nop", "!i,!i"() to label %through_asm [label %there, label %other]
through_asm:
  switch i128 %big, label %there [ i128 -170141183460469231731687303715884105728, label %other
    i128 5, label %other ]
there:
  %from = phi i32 [ 0, %normal ], [ 1, %through_asm ], [ 2, %other ]
  indirectbr ptr blockaddress(@control, %there), [label %there2, label %other]
there2:
  ret i32 %from
other:
  store i32 %next, ptr %space
  br label %there
caught:
  %caught_value = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %caught_value
}

define i32 @main() {
  ret i32 0
}
