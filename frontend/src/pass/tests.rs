//! What the passes do to small functions, and above all what they leave alone.
use super::{OPTIMISED, run};
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;

/// The module's text after the passes.
fn after(ir: &str) -> String {
    let context = Context::create();
    let buffer = MemoryBuffer::create_from_memory_range_copy(ir.as_bytes(), "test");
    let module = context.create_module_from_ir(buffer).expect("parses");
    run(&module, false).expect("passes run");
    module.verify().expect("is valid");
    module.print_to_string().to_string()
}

#[test]
fn a_local_variable_becomes_a_register_in_spite_of_optnone() {
    let text = after(
        "define i32 @f(i32 %a) noinline optnone {\n  %x = alloca i32\n  store i32 %a, ptr %x\n  %v = load i32, ptr %x\n  ret i32 %v\n}",
    );
    assert!(text.contains("ret i32 %a"), "{text}");
    assert!(!text.contains("alloca") && !text.contains("load"), "{text}");
}

#[test]
fn variables_of_a_function_that_calls_setjmp_stay_in_memory() {
    let text = after(
        "declare i32 @_setjmp(ptr) returns_twice\n@b = global [25 x i64] zeroinitializer\ndefine i32 @f() noinline optnone {\n\
         %x = alloca i32\n  store i32 1, ptr %x\n  %r = call i32 @_setjmp(ptr @b) returns_twice\n  store i32 2, ptr %x\n\
         %v = load i32, ptr %x\n  ret i32 %v\n}",
    );
    assert!(text.contains("ret i32 %v") && text.contains("alloca"), "{text}");
}

/// Else `x` would be a register, too, once `p` is one.
#[test]
fn a_variable_whose_address_is_taken_stays_in_memory() {
    let text = after(
        "define i32 @f() {\n  %x = alloca i32\n  %p = alloca ptr\n  store i32 1, ptr %x\n  store ptr %x, ptr %p\n\
         %q = load ptr, ptr %p\n  %v = load i32, ptr %q\n  ret i32 %v\n}",
    );
    assert!(text.contains("%x = alloca") && !text.contains("%p = alloca") && text.contains("ret i32 %v"), "{text}");
    assert!(!text.contains("ptrtoint"), "{text}");
}

#[test]
fn an_access_outside_of_a_stack_array_stays() {
    let text = after(
        "define i32 @f() {\n  %x = alloca [2 x i32]\n  %p = getelementptr i32, ptr %x, i64 2\n  store i32 1, ptr %p\n\
         %v = load i32, ptr %p\n  ret i32 %v\n}",
    );
    assert!(text.contains("store i32 1, ptr %p") && text.contains("load i32, ptr %p"), "{text}");
}

#[test]
fn plain_accesses_of_shared_memory_stay() {
    let text = after(
        "@g = global i32 0\ndefine i32 @f() {\n  store i32 1, ptr @g\n  store i32 2, ptr @g\n  %a = load i32, ptr @g\n\
         %b = load i32, ptr @g\n  %dead = load i32, ptr @g\n  %s = add i32 %a, %b\n  ret i32 %s\n}",
    );
    assert_eq!(text.matches("store i32").count(), 2, "{text}");
    assert_eq!(text.matches("load i32").count(), 3, "{text}");
}

/// Without the marks mem2reg answers `ret i32 1` here.
#[test]
fn a_variable_written_on_one_path_only_stays_undefined_on_the_other() {
    let text = after(
        "define i32 @f(i1 %c) {\nentry:\n  %x = alloca i32\n  br i1 %c, label %then, label %end\nthen:\n\
         store i32 1, ptr %x\n  br label %end\nend:\n  %v = load i32, ptr %x\n  ret i32 %v\n}",
    );
    assert!(text.contains("phi i32 [ 1, %then ], [ undef, %entry ]"), "{text}");
    assert!(!text.contains("volatile"), "{text}");
}

#[test]
fn a_variable_never_written_is_undefined() {
    let text = after("define i32 @f() {\n  %x = alloca i32\n  %v = load i32, ptr %x\n  ret i32 %v\n}");
    assert!(text.contains("ret i32 undef"), "{text}");
}

#[test]
fn a_variable_that_stays_in_memory_is_left_alone() {
    let ir = "declare void @use(ptr)\n\ndefine i32 @f() {\n  %x = alloca i32, align 4\n  %y = alloca i32, align 4\n\
              call void @use(ptr %x)\n  %v = load i32, ptr %x, align 4\n  %w = load volatile i32, ptr %y, align 4\n\
              call void @use(ptr %y)\n  %s = add i32 %v, %w\n  ret i32 %s\n}";
    let text = after(ir);
    assert_eq!(text.matches("alloca").count(), 2, "{text}");
    assert!(!text.contains("store") && !text.contains("null"), "{text}");
}

#[test]
fn a_volatile_variable_that_nothing_else_reaches_becomes_a_register() {
    let body = "%x = alloca i32\n  store volatile i32 %a, ptr %x\n  %v = load volatile i32, ptr %x\n";
    let text = after(&format!("define i32 @f(i32 %a) {{\n  {body}  ret i32 %v\n}}"));
    assert!(text.contains("ret i32 %a") && !text.contains("alloca"), "{text}");
    let use_it = "call void @use(ptr %x)";
    let text =
        after(&format!("declare void @use(ptr)\n\ndefine i32 @f(i32 %a) {{\n  {body}  {use_it}\n  ret i32 %v\n}}"));
    assert_eq!(text.matches("volatile").count(), 2, "{text}");
}

#[test]
fn what_an_optimiser_has_declared_is_forgotten() {
    let body = "  %s = add nuw nsw i64 %a, 1\n  %d = sdiv exact i64 %s, 4\n  %o = or disjoint i64 %d, 1\n\
                %n = trunc nuw i64 %o to i32\n  %z = zext nneg i32 %n to i64\n  %f = sitofp i64 %z to double\n\
                %g = fadd fast double %f, 1.0\n  %c = fcmp nnan une double %g, %g\n  ret i1 %c\n}";
    let words = ["nuw", "nsw", "exact", "disjoint", "nneg"];
    let optimised = after(&format!("define i1 @f(i64 %a) {{\n{body}"));
    let missing: Vec<&str> = words.into_iter().filter(|word| !optimised.contains(word)).collect();
    assert_eq!(missing, words, "{optimised}");
    assert!(optimised.contains(OPTIMISED), "{optimised}");
    let untouched = after(&format!("define i1 @f(i64 %a) noinline optnone {{\n{body}"));
    assert!(words.iter().all(|word| untouched.contains(word)), "{untouched}");
    assert!(!untouched.contains(OPTIMISED), "{untouched}");
}

#[test]
fn the_marks_of_a_block_do_not_keep_a_variable_in_memory() {
    let text = after(
        "declare void @llvm.lifetime.start.p0(i64, ptr)\ndeclare void @llvm.lifetime.end.p0(i64, ptr)\n\
         define i32 @f(i32 %a) noinline optnone {\n  %x = alloca i32\n  call void @llvm.lifetime.start.p0(i64 4, ptr %x)\n\
         store i32 %a, ptr %x\n  %v = load i32, ptr %x\n  call void @llvm.lifetime.end.p0(i64 4, ptr %x)\n  ret i32 %v\n}",
    );
    assert!(text.contains("ret i32 %a") && !text.contains("alloca"), "{text}");
}
