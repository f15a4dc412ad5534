//! Pieces of code, each of which uses something of C or of its library.
use crate::expression::{Maker, Place};
use crate::program::{Node, block, line};
use crate::types::Type::{self, *};

/// Expressions that stand for `$` and a letter.
const EXPRESSIONS: [(char, Type); 9] = [
    ('i', Int),
    ('u', UInt),
    ('l', LLong),
    ('L', ULLong),
    ('c', Char),
    ('h', Short),
    ('d', Double),
    ('f', Float),
    ('D', LDouble),
];

/// A random piece of code.
pub(crate) fn snippet(maker: &mut Maker, places: &[Place]) -> Vec<Node> {
    if maker.random.once_in(6) {
        return vec![format(maker, places)];
    }
    let all = SNIPPETS.len() + if maker.wide { WIDE.len() } else { 0 };
    let at = maker.random.below(all as u64) as usize;
    let text = SNIPPETS.iter().chain(&WIDE).nth(at).expect("there are so many");
    vec![fill(maker, text, places)]
}

/// Fills in what a template leaves open: `#` is something fresh in names, `$T` an integer type and `$E` an expression
/// of it, `$F` a floating one and `$G` an expression of it, `$n` and `$m` numbers from 1 to 9, `$s` a string, and see
/// [`EXPRESSIONS`].
fn fill(maker: &mut Maker, template: &str, places: &[Place]) -> Node {
    let fresh = maker.name("t");
    let integer = maker.integer();
    let floating = maker.random.pick(&[Float, Double, LDouble]);
    let (n, m) = (1 + maker.random.below(9), 1 + maker.random.below(9));
    let mut text = String::new();
    let mut parts = template.split('$');
    text += parts.next().expect("a first part");
    for part in parts {
        let letter = part.chars().next().expect("a letter");
        let with = match letter {
            'T' => integer.name().to_owned(),
            'U' => integer.unsigned().name().to_owned(),
            'E' => maker.converted(integer, places, 2),
            'F' => floating.name().to_owned(),
            'G' => maker.converted(floating, places, 2),
            'n' => n.to_string(),
            'm' => m.to_string(),
            's' => format!("\"{}\"", maker.random.pick(&STRINGS)),
            letter => {
                let found = EXPRESSIONS.iter().find(|(other, _)| *other == letter);
                let of = found.unwrap_or_else(|| panic!("no ${letter}: {template}")).1;
                maker.converted(of, places, 2)
            }
        };
        text += &with;
        text += &part[1..];
    }
    block("", text.replace('#', &fresh).lines().map(line).collect())
}

/// Prints something with a random format.
fn format(maker: &mut Maker, places: &[Place]) -> Node {
    let mut text = "|".to_owned();
    let mut arguments = String::new();
    for _ in 0..1 + maker.random.below(3) {
        let mut flags = String::new();
        for flag in ["-", "+", " ", "#", "0"] {
            if maker.random.once_in(5) {
                flags += flag;
            }
        }
        let width = match maker.random.below(6) {
            0 => "*".to_owned(),
            1 | 2 => (1 + maker.random.below(14)).to_string(),
            _ => String::new(),
        };
        if width == "*" {
            arguments += &format!(", (int)({} % 14)", maker.converted(SChar, places, 1));
        }
        let precision = match maker.random.below(5) {
            0 => format!(".{}", maker.random.below(12)),
            1 => ".".to_owned(),
            _ => String::new(),
        };
        let (conversion, of) = maker.random.pick(&CONVERSIONS);
        match conversion {
            "s" => arguments += &format!(", \"{}\"", maker.random.pick(&STRINGS)),
            "c" => arguments += &format!(", 32 + {} % 90", maker.converted(UChar, places, 1)),
            // No number's sign is printed that is none.
            _ if of.is_float() => {
                let value = maker.converted(of, places, 2);
                arguments += &format!(", NUMBER({value})");
            }
            _ => arguments += &format!(", {}", maker.converted(of, places, 2)),
        }
        // (Some flags have no meaning with some conversions.)
        let flags: String = flags
            .chars()
            .filter(|flag| match conversion {
                "s" | "c" => *flag == '-',
                "d" | "hhd" | "hd" | "ld" | "lld" => *flag != '#',
                "u" | "zu" | "lu" | "llu" => *flag == '-' || *flag == '0',
                "x" | "lX" | "llx" | "o" | "hho" => *flag != '+' && *flag != ' ',
                _ => true,
            })
            .collect();
        let precision = if conversion == "c" { String::new() } else { precision };
        text += &format!("%{flags}{width}{precision}{conversion}|");
    }
    line(format!("printf(\"{text}\\n\"{arguments});"))
}

const CONVERSIONS: [(&str, Type); 24] = [
    ("d", Int),
    ("u", UInt),
    ("x", UInt),
    ("o", UInt),
    ("hhd", Int),
    ("hho", Int),
    ("hd", Int),
    ("ld", Long),
    ("lu", ULong),
    ("lX", ULong),
    ("lld", LLong),
    ("llu", ULLong),
    ("llx", ULLong),
    ("s", Int),
    ("c", Int),
    ("f", Double),
    ("e", Double),
    ("g", Double),
    ("G", Double),
    ("E", Float),
    ("a", Double),
    ("Lf", LDouble),
    ("Lg", LDouble),
    ("La", LDouble),
];

const STRINGS: [&str; 10] =
    ["", "a", "abc", "hello, world", "0x1f", "-17 and 4", "  12.5e1x", "aaaaab", "%d\\t\\n", "\\377\\001z"];

#[rustfmt::skip]
const SNIPPETS: [&str; 74] = [
    // Overflow that is asked for.
    "$T #r; int #o = __builtin_add_overflow($E, $l, &#r);\nout_i(#o); OUT(#r);",
    "int #r; int #o = __builtin_mul_overflow($i, $u, &#r);\nout_i(#o); OUT(#r);",
    "unsigned char #r; int #o = __builtin_sub_overflow($l, $c, &#r);\nout_i(#o); OUT(#r);",
    "long long #r; out_i(__builtin_mul_overflow($l, $l, &#r)); OUT(#r);",
    // Arrays of variable length.
    "int #n = 1 + ($u % $n); $T #a[#n];\nfor (int i = 0; i < #n; i++) #a[i] = ($T)(i * 3 + $n);\n#a[$u % #n] = $E;\nfor (int i = 0; i < #n; i++) OUT(#a[i]);\nout_u(sizeof #a);",
    "unsigned #n = 1 + $u % 4, #m = 1 + $u % 3; short #a[#n][#m]; memset(#a, $n, sizeof #a);\n#a[$u % #n][$u % #m] = $h;\nlong #s = 0; for (unsigned i = 0; i < #n; i++) for (unsigned j = 0; j < #m; j++) #s = #s * 3 % 100003 + #a[i][j];\nOUT(#s); out_u(sizeof #a[0]); out_u(sizeof *#a / sizeof **#a);",
    "for (int i = 1; i < 4; i++) { $T #a[i + $n]; #a[i] = $E; OUT(#a[i]); }",
    "int #n = 2 + $u % 3; int #m[2][#n]; for (int i = 0; i < 2 * #n; i++) (&#m[0][0])[i % #n] = i, (&#m[1][0])[i % #n] = -i;\nout_i(sum_of_row(#n, 2, #m));",
    "$T *#p = __builtin_alloca(sizeof($T) * $n); for (int i = 0; i < $n; i++) #p[i] = ($T)i;\n#p[$u % $n] = $E; OUT(#p[$n - 1]); OUT(#p[0]);",
    // Jumps.
    "jmp_buf #j; volatile int #n = 0; int #r = setjmp(#j);\nif (#r < $n) { #n += $i & 15; longjmp(#j, #r + 1); }\nout_i(#r); out_i(#n);",
    "jmp_buf #j; volatile $T #v = $E;\nif (setjmp(#j) == 0) { #v = $E; deep(#j, $n, $i & 1); } else OUT(#v);",
    "static void *const #l[] = {&&#a, &&#b, &&#c}; int #n = 0;\ngoto *#l[$u % 3];\n#a: out_i(1);\n#b: out_i(2); if (#n++ < 2) goto *#l[$u % 3];\n#c: out_i(3);",
    "int #n = $u % 20, #s = 0;\nswitch (#n % 4) { case 0: do { #s += 1; case 3: #s += 10; case 2: #s += 100; case 1: #s += 1000; } while ((#n -= 4) > 0); }\nout_i(#s);",
    // Any number of arguments.
    "out_i(sum($n, $i & 0xffff, $i & 0xffff, $i & 0xffff, $i & 0xffff, $i & 0xffff, $i & 0xffff, $i & 0xffff, $i & 0xffff, $i & 0xffff));",
    "mixed(\"idlDcsp\", $i, $d, $l, $D, (int)$c, $h, \"text\");",
    "mixed(\"ddddddddddiiiiiiii\", $d, $d, 1.5, 2.5, 3.5, $d, 4.5, 5.5, 6.5, $d, $i, 1, 2, 3, 4, 5, $i, 7);",
    "mixed(\"lS\", $l, (struct three){$i, $c, $h});\nmixed(\"iTi\", $i, (struct pair){$d, $l}, $n);\nmixed(\"UU\", (struct large){{$i, $n}, $D}, (struct large){{$m}, $D});",
    // Structures by value.
    "struct three #s = turned((struct three){$i, $c, $h}); out_i(#s.a); out_i(#s.b); out_i(#s.c);",
    "struct pair #s = swapped((struct pair){$d, $l}, $n); out_f(#s.d); out_i(#s.l);",
    "struct large #s = grown((struct large){{$i, $i}, $D}); out_f(#s.d); out_i(#s.a[0]); out_i(#s.a[6]);",
    "struct floats #s = scaled((struct floats){$f, $f, $f}, 2); out_f(#s.x); out_f(#s.y); out_f(#s.z);",
    "struct bits #b = {$i, $i, $i, $i}; #b = packed_bits(#b, $i); out_i(#b.a); out_u(#b.b); out_i(#b.c); out_u(#b.d);",
    "union any #u = as_any($l); out_i(#u.i[0]); out_i(#u.s[1]); out_u(#u.b[7]);",
    "out_i(((struct three[]){{$i, 1, 2}, {.c = $h, .a = $i}})[$u % 2].a);",
    "const struct three #a[] = {[2] = {.b = $c}, [0].a = $i, [1] = {1, 2, 3}}; out_i(#a[$u % 3].a); out_u(sizeof #a);",
    // Functions as values.
    "static int (*const #f[])(int, int) = {added, subtracted, larger}; out_i(#f[$u % 3]($h, $h));",
    "int (*#f)(int, int) = $i ? added : larger; out_i(twice(#f, $h, $h));",
    "out_u(factorial($u % 21)); out_u(ackermann($u % 3, $u % 4)); out_i(even($u % 12));",
    "out_i(fibonacci($u % 10)); OUT(fraction($u % 9));",
    // Memory.
    "$T *#p = malloc($n * sizeof *#p); for (int i = 0; i < $n; i++) #p[i] = ($T)(i - 3);\n#p[$u % $n] = $E;\n#p = realloc(#p, ($n + $m) * sizeof *#p); #p[$n] = $E; OUT(#p[$n]); OUT(#p[0]); free(#p);",
    "unsigned char *#p = calloc($n, $m); #p[$u % ($n * $m)] = $c; out_bytes(#p, $n * $m); free(#p);",
    "struct node *#l = 0; for (int i = 0; i < $n; i++) #l = pushed(#l, $i);\n#l = reversed(#l); out_i(length(#l)); out_i(#l->value);\nwhile (#l) { struct node *next = #l->next; free(#l); #l = next; }",
    "struct flexible *#p = malloc(sizeof *#p + $n * sizeof(long)); #p->n = $n; for (int i = 0; i < $n; i++) #p->a[i] = i * 7;\nout_i(#p->a[$u % $n]); free(#p);",
    "$T #a[$n] = {$E}; unsigned char #b[sizeof #a]; memcpy(#b, #a, sizeof #a);\n#b[$u % sizeof #b] ^= 1; memcpy(#a, #b, sizeof #a); OUT(#a[0]); OUT(#a[$n - 1]);",
    "int #a[10]; for (int i = 0; i < 10; i++) #a[i] = i * $n;\nmemmove(#a + $u % 5, #a + $u % 5, $u % 6 * sizeof *#a); for (int i = 0; i < 10; i++) out_i(#a[i]);",
    "char #a[8] = {$c, $c, 3}, #b[8] = {$c, 1}; out_i(sign(memcmp(#a, #b, 8))); out_i(memchr(#a, 3, 8) != 0);",
    "double #d = $d; unsigned long long #b; memcpy(&#b, &#d, 8); #b &= #d == #d ? -1 : 0; OUT(#b);",
    "float #f = $f; union { float f; unsigned u; } #u = {#f == #f ? #f : 0}; OUT(#u.u); #u.u = (#u.u & 0x7fffff) | 0x40000000; out_f(#u.f);",
    "long double #d = $D; unsigned char #b[10]; if (#d == #d) { memcpy(#b, &#d, 10); out_bytes(#b, 10); }",
    "out_bytes(&(struct bits){$i, $i, $i, $i}, 0); struct bits #z; memset(&#z, 0, sizeof #z); #z.b = $i; #z.c = $i; out_bytes(&#z, sizeof #z);",
    // Strings.
    "char #a[64] = $s; strcat(#a, $s); strncat(#a, $s, $n); out_u(strlen(#a)); puts(#a);",
    "out_i(sign(strcmp($s, $s))); out_i(sign(strncmp($s, $s, $n))); out_u(strspn($s, \"abch\")); out_u(strcspn($s, \"lx4\"));",
    "char #a[32] = $s, *#p = strchr(#a, 'a'), *#q = strrchr(#a, 'a'); out_i(#p ? #p - #a : -1); out_i(#q ? #q - #a : -1);\nout_i(strstr(#a, \"lo\") != 0); out_i(strpbrk(#a, \"xo,\") != 0);",
    "char #a[40]; strcpy(#a, $s); char *#s; for (char *t = strtok_r(#a, \" ,a\", &#s); t; t = strtok_r(0, \" ,a\", &#s)) puts(t);",
    "char #a[12]; memset(#a, 'q', 11); #a[11] = 0; strncpy(#a, $s, $n); out_bytes(#a, 12);",
    "char *#p = strdup($s); for (char *c = #p; *c; c++) *c = toupper((unsigned char)*c); puts(#p); free(#p);",
    "char #a[40]; int #n = snprintf(#a, $n, \"%d:%s\", $i, $s); out_i(#n); puts(#a);",
    "char #a[80]; int #n = sprintf(#a, \"%lld %u %c%%\", $l, $u, 'q'); out_i(#n); puts(#a);",
    "char *#e; long #v = strtol($s, &#e, $n + 1); OUT(#v); out_u(strlen(#e)); out_i(atoi($s));",
    "char #a[32]; sprintf(#a, \"%d\", $i); OUT(strtol(#a, 0, 10)); OUT(strtoul(#a, 0, 16)); OUT(atoi(#a));",
    "char #a[64]; double #d = $d; if (isfinite(#d)) { snprintf(#a, 64, \"%.17g\", #d); out_i(strtod(#a, 0) == #d); }",
    "int #a = 0, #b = 0; char #t[64]; sprintf(#t, \"%d,%d\", $h, $h); out_i(sscanf(#t, \"%d,%d\", &#a, &#b)); out_i(#a - #b);",
    // Sorting.
    "int #a[] = {$i, $h, $c, $n, $m, 3}; qsort(#a, 6, sizeof *#a, by_int); for (int i = 0; i < 6; i++) out_i(#a[i]);\nint #k = $c; int *#p = bsearch(&#k, #a, 6, sizeof *#a, by_int); out_i(#p ? *#p == #k : -1);",
    "double #a[] = {$n, $m, 2.5, -1}; qsort(#a, 4, sizeof *#a, by_double); out_f(#a[0]); out_f(#a[3]);",
    // Vectors.
    "v4u #a = {$u, $u, $n, 7}, #b = {$u, 3, $m, $u}; v4u #c = #a * #b + (#a ^ #b) - #a / (#b | 1u); out_u(#c[$u & 3]); out_u(#c[0]); out_u(#c[1]);",
    "v4f #a = {$f, 1, 2.5f, -3}, #b = {$f, $n, 2, 0.5f}; v4f #c = #a * #b - #a; for (int i = 0; i < 4; i++) out_f(#c[i]); v4i #m = #a < #b; out_i(#m[$u & 3]); out_i(#m[2]);",
    "v8h #a = {$h, $h, 1, 2, 3, 4, 5, 6}; #a = __builtin_shufflevector(#a, -(#a & 0xff), 1, 0, 9, 3, 15, 5, 8, 7); for (int i = 0; i < 8; i++) out_i(#a[i]);",
    "v16b #a = {0}, #b; #a[$u & 15] = $c; #a[$u & 15] = $c; #b = #a >> 3 | #a << 5; #b[3] = 1; out_bytes(&#b, 16);",
    "v2d #a = {$h, $n}; v2l #b = __builtin_convertvector(#a, v2l); out_i(#b[0] + #b[1]); #a = __builtin_convertvector(#b * 3, v2d) / (v2d){3, 2}; out_f(#a[0]); out_f(#a[1]);",
    "v4i #a = {$i, $i, $h, $c}, #b = #a & 0xff, #c = #b * #b + 3; #c = (#c & (#a > #b)) | (-#b & ~(#a > #b)); out_i(#c[0]); out_i(#c[1]); out_i(#c[2]); out_i(#c[3]); out_i((#a >> 3)[1]);",
    // Complex numbers.
    "_Complex double #a = (_Complex double)$h + 2.0i, #b = $n - 1.5i; _Complex double #c = #a * #b - #a; out_f(creal(#c)); out_f(cimag(#c)); out_i(#c == #a); #c = conj(#c); out_f(cimag(#c));",
    "_Complex float #a = $h; __imag__ #a = $n; #a = #a + 1.0f; #a += 2.0if; out_f(__real__ #a); out_f(__imag__ #a); out_f(crealf(#a * #a));",
    "_Complex double #a = rotated($h + 1.0i); out_f(creal(#a)); out_f(cimag(#a));",
    // Atomics of one thread.
    "static _Atomic $T #a; atomic_store(&#a, $E); OUT(atomic_fetch_add(&#a, 3)); OUT(atomic_fetch_xor(&#a, $E)); #a |= 5; OUT(atomic_load(&#a));",
    "_Atomic int #a = $i; int #e = $i; out_i(atomic_compare_exchange_strong(&#a, &#e, $i)); out_i(#e); out_i(atomic_exchange(&#a, 3)); #a += 5; #a++; out_i(#a);",
    "static _Atomic unsigned char #a = 250; #a += $u % 20; out_u(#a); out_u(atomic_fetch_sub(&#a, $c)); out_u(--#a); static atomic_flag #f; out_i(atomic_flag_test_and_set(&#f));",
    // Floating point.
    "$F #x = $G; int #e = 0; if (isfinite(#x)) { out_f(frexp((double)#x, &#e)); if (isfinite((double)#x)) out_i(#e); }\ndouble #w; out_f(modf($h / 8.0, &#w)); out_f(#w); out_f(copysign(3.0, (double)$i));",
    "$F #x = $G, #y = $G; out_i(#x < #y); out_i(#x != #y); out_f(#x + #y); out_f(#x * #y); out_f(#x / #y); out_f((float)#x); out_f((double)#x);",
    "out_i(lrint($h / 16.0)); out_i(lround($h / 2.0)); out_i(llrint($h / 4.0f)); out_f(fmin($h, $n)); out_f(fmax($i, $m)); out_i(ilogb($u + 1.0)); out_f(hypot(3, 4)); out_f(pow(2, $n)); out_f(logb($u + 1.0));",
    "long double #x = (long double)$L / 3; out_f(#x); out_f(floorl(#x)); out_f(ceill(#x)); out_f((double)#x); out_f((float)#x); OUT((unsigned long long)(#x / 2)); out_f(truncl(-#x)); out_f(rintl($h / 2.0L)); out_f(roundl(#x));",
    // The rest.
    "enum { #A = $n, #B, #C = -3 } #e = $i & 1 ? #A : #C; switch (#e) { case #A: out_i(1); break; case #C: out_i(2); default: out_i(3); } out_u(sizeof #e);",
    "$T #v = ({ $T a = $E; a += a & 1; a; }); OUT(#v); __typeof__(#v) #w = #v; OUT(#w); out_u(_Alignof($T)); out_u(sizeof(#v + 1));",
    "typedef int #f(int, int); #f *#p = added; $T #a[3][2] = {{1}, {2, 3}}, (*#q)[2] = #a + 1; out_i(#p($h, 1)); OUT((*#q)[1]); OUT(#q[-1][0]); out_i((char *)(#q + 1) - (char *)#a == sizeof #a[0] * 2); out_i(&#a[2][0] - &#a[0][1]);",
    "const char *#t[] = {$s, $s, __func__ + strlen(__func__)}; for (const char *const *p = #t; **p || p < #t + 2; p++) puts(*p);",
];

/// The same for targets of 64 bits.
#[rustfmt::skip]
const WIDE: [&str; 5] = [
    "unsigned __int128 #a = (unsigned __int128)$L * $L; out_w(#a); out_w(#a / ($L | 1)); out_w(#a % ($u | 1)); out_w(#a >> ($u & 127)); out_f((double)#a); out_i(#a > $l);",
    "__int128 #a = (__int128)$l * $l; out_w(#a); out_w(#a / ($i | 1)); out_w(#a % 1000007); out_w(-(#a >> 1)); out_f((long double)#a); out_f((float)#a); out_w(CUT(__int128, -0x1p127, 0x1p127, $d));",
    "static _Atomic unsigned __int128 #a; #a = $L; out_w(atomic_load(&#a)); #a <<= 1; out_w(#a);",
    "struct { __int128 a; char c; unsigned __int128 b; } __attribute__((packed)) #s = {$l, $c, $L}; out_w(#s.a); out_w(#s.b); out_u(sizeof #s); #s.a = -#s.c; out_w(#s.a);",
    "unsigned __int128 #r; out_i(__builtin_mul_overflow((unsigned __int128)$L << 60, $L, &#r)); out_w(#r); mixed(\"iwi\", $i, #r, 3);",
];
