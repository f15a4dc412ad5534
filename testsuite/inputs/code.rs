//! Mutations of textual IR that LLVM's own reader takes, mostly: what comes out is a module, but not one that clang
//! makes.

use crate::tokens::{BORDERS, tokens};
use random::Random;

/// Words that may stand where another of the same row stands.
const ALIKE: [&[&str]; 14] = [
    &["i1", "i8", "i16", "i24", "i32", "i33", "i64", "i65", "i128", "ptr", "float", "double", "x86_fp80", "half"],
    &["add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor"],
    &["fadd", "fsub", "fmul", "fdiv", "frem"],
    &["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"],
    &["oeq", "one", "ord", "uno", "ueq", "une", "olt", "ult", "true", "false"],
    &["trunc", "zext", "sext", "bitcast", "ptrtoint", "inttoptr", "fptosi", "fptoui", "sitofp", "uitofp"],
    &["fptrunc", "fpext", "freeze", "fneg"],
    &["monotonic", "acquire", "release", "acq_rel", "seq_cst", "unordered"],
    &["xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin", "uinc_wrap", "fadd"],
    &["nsw", "nuw", "exact", "inbounds", "volatile", "atomic", ""],
    &["noundef", "signext", "zeroext", "nonnull", "byval(i64)", "sret(i64)", "inreg", "returned", ""],
    &["global", "constant", "thread_local global"],
    &["private", "internal", "external", "weak", "linkonce_odr", "common", "extern_weak", "dso_local", ""],
    &["ret", "br", "switch", "unreachable", "indirectbr"],
];

/// Changes one thing in a module.
pub(crate) fn mutate(module: &str, functions: &[&str], random: &mut Random) -> String {
    let mut lines: Vec<String> = module.lines().map(str::to_owned).collect();
    let inside: Vec<usize> = (0..lines.len()).filter(|i| lines[*i].starts_with("  ")).collect();
    if inside.is_empty() {
        return module.to_owned();
    }
    let at = random.pick(&inside);
    match random.below(12) {
        0..3 => insert_call(&mut lines, at, functions, random),
        3..5 => {
            let calls: Vec<usize> = inside.into_iter().filter(|i| lines[*i].contains("call ")).collect();
            if !calls.is_empty() {
                retarget(&mut lines, random.pick(&calls), functions, random);
            }
        }
        5 => drop(lines.remove(at)),
        6 => {
            let copy = lines[at].clone();
            lines.insert(random.pick(&inside), copy);
        }
        7 => {
            // What follows the first `!` of an instruction is metadata.
            if let Some((code, _)) = lines[at].split_once(", !") {
                lines[at] = code.to_owned();
            }
        }
        8 => number(&mut lines[at], random),
        9 => operand(&mut lines, at, &inside, random),
        _ => {
            let line = if random.once_in(5) { random.below(lines.len() as u64) as usize } else { at };
            word(&mut lines[line], random);
        }
    }
    lines.join("\n") + "\n"
}

/// Puts another word of the same kind into a line.
fn word(line: &mut String, random: &mut Random) {
    let mut words = tokens(line);
    let known: Vec<(usize, &[&str])> = (0..words.len())
        .flat_map(|i| ALIKE.iter().filter(|row| row.contains(&words[i])).map(|row| (i, *row)).collect::<Vec<_>>())
        .collect();
    if !known.is_empty() {
        let (at, row) = random.pick(&known);
        words[at] = random.pick(row);
        *line = words.concat();
    }
}

/// Puts a number at the border of a type in place of another one.
fn number(line: &mut String, random: &mut Random) {
    let mut words = tokens(line);
    let numbers: Vec<usize> = (0..words.len()).filter(|i| words[*i].parse::<i64>().is_ok()).collect();
    if !numbers.is_empty() {
        words[random.pick(&numbers)] = random.pick(&BORDERS);
        *line = words.concat();
    }
}

/// Puts another value in place of one.
fn operand(lines: &mut [String], at: usize, inside: &[usize], random: &mut Random) {
    let is_value = |word: &str| word.starts_with(['%', '@']) && word.len() > 1;
    let near: Vec<usize> = inside.iter().copied().filter(|i| i.abs_diff(at) < 40).collect();
    let donor = lines[random.pick(&near)].clone();
    let mut others: Vec<&str> = tokens(&donor).into_iter().filter(|word| is_value(word)).collect();
    others.extend(["null", "undef", "poison", "zeroinitializer", "0", "-1"]);
    let mut words = tokens(&lines[at]);
    // The first one is usually the name of the result.
    let values: Vec<usize> = (0..words.len()).filter(|i| is_value(words[*i])).skip(1).collect();
    if !values.is_empty() {
        words[random.pick(&values)] = random.pick(&others);
        lines[at] = words.concat();
    }
}

/// Has a call go to another function, whatever its signature is.
fn retarget(lines: &mut Vec<String>, at: usize, functions: &[&str], random: &mut Random) {
    let function = random.pick(functions);
    let Some((before, rest)) = lines[at].split_once('@') else { return };
    let Some((_, arguments)) = rest.split_once('(') else { return };
    lines[at] = format!("{before}@{function}({arguments}");
    declare(lines, function);
}

/// Inserts a call of a library function with arguments that have nothing to do with it.
fn insert_call(lines: &mut Vec<String>, at: usize, functions: &[&str], random: &mut Random) {
    let function = random.pick(functions);
    let start = (0..at).rev().find(|i| lines[*i].starts_with("define ")).unwrap_or(0);
    let mut pointers: Vec<String> = lines[start..at]
        .iter()
        .filter_map(|line| line.trim().split_once(" = alloca ").map(|(name, _)| format!("ptr {name}")))
        .collect();
    pointers.extend(
        lines
            .iter()
            .filter(|line| line.starts_with('@'))
            .filter_map(|line| line.split_once(" = ").map(|(name, _)| format!("ptr {name}"))),
    );
    pointers.extend(["ptr null", "ptr @main", "ptr inttoptr (i64 1 to ptr)", "ptr undef"].map(str::to_owned));
    let argument = |random: &mut Random| match random.below(8) {
        0..4 => pointers[random.below(pointers.len() as u64) as usize].clone(),
        4 => format!("i64 {}", random.pick(&BORDERS[..15])),
        5 => format!("i32 {}", random.pick(&BORDERS[..11])),
        6 => random
            .pick(&["double 1.5", "double 0x7FF8000000000000", "float -0.0", "x86_fp80 0xK3FFF8000000000000000"])
            .to_owned(),
        _ => random
            .pick(&["i8 7", "i1 true", "i128 -1", "i32 undef", "<2 x i32> zeroinitializer", "{ i64, ptr } undef"])
            .to_owned(),
    };
    let arguments: Vec<String> = (0..random.below(6)).map(|_| argument(random)).collect();
    let result = random.pick(&["void", "i32", "i64", "ptr", "i1", "i8", "double", "i128", "{ i64, i64 }", "x86_fp80"]);
    let name = match result {
        "void" => String::new(),
        _ => format!("%mutant{} = ", random.number() >> 40),
    };
    lines.insert(at, format!("  {name}call {result} @{function}({})", arguments.join(", ")));
    declare(lines, function);
}

/// Declares a function that the module does not know.
fn declare(lines: &mut Vec<String>, function: &str) {
    let name = format!("@{function}(");
    let known = |line: &String| (line.starts_with("declare ") || line.starts_with("define ")) && line.contains(&name);
    if !lines.iter().any(known) {
        lines.push(format!("declare void @{function}(...)"));
    }
}

/// Gives names to what has numbers only, so that instructions can be taken out.
pub(crate) fn named(module: &str) -> String {
    let renamed = |word: &str| match word.strip_prefix('%') {
        Some(number) if number.starts_with(|c: char| c.is_ascii_digit()) => format!("%v{number}"),
        _ => word.to_owned(),
    };
    // Outside of functions there are strings, in which `%2` is no name.
    let line = |line: &str| match line.starts_with("  ") {
        true => tokens(line).into_iter().map(renamed).collect(),
        false => line.to_owned(),
    };
    module.lines().map(|text| line(text) + "\n").collect()
}
