//! Errors on purpose.
use crate::expression::Maker;
use crate::program::{Judge, MARK, Node, Planted, block, line};
use interp::fault::Kind;

/// An error: names of variables begin with `#`, which stands for something fresh; `!` ends the line of the error.
/// What stands before `|||` belongs before the function. `$` is a number from 1 to 8.
struct Plant(&'static str, Kind, Judge, &'static str);

const fn memory(name: &'static str, text: &'static str) -> Plant {
    Plant(name, Kind::Memory, Judge::Usual, text)
}

const fn overflow(name: &'static str, text: &'static str) -> Plant {
    Plant(name, Kind::Overflow, Judge::Usual, text)
}

const fn unset(name: &'static str, text: &'static str) -> Plant {
    Plant(name, Kind::Uninitialised, Judge::Msan, text)
}

/// Text before a function, and how it is called.
#[rustfmt::skip]
const PLANTS: [Plant; 67] = [
    memory("read behind a local array", "int #a[$] = {1}; int #n = sizeof #a / sizeof *#a * one;\nout_i(#a[#n]);!"),
    memory("write behind a local array", "short #a[$] = {1}; int #n = sizeof #a / sizeof *#a * one;\n#a[#n] = 3;!"),
    memory("read before a local array", "long #a[$] = {1}; int #n = -one;\nout_i(#a[#n]);!"),
    memory("read far behind a local array", "char #a[$] = {1}; int #n = 20 + one;\nout_i(#a[#n]);!"),
    memory("read behind a global array", "static unsigned @#a[$] = {5};|||int #n = sizeof @#a / sizeof *@#a * one;\nout_u(@#a[#n]);!"),
    memory("write behind a global array", "static double @#a[$];|||int #n = sizeof @#a / sizeof *@#a * one;\n@#a[#n] = 1;!"),
    memory("write behind a structure", "struct { char c; int a[$]; } #s = {0}; int *#p = &#s.a[0]; int #n = sizeof #s.a / sizeof *#s.a * one;\n#p[#n] = 1;!"),
    memory("read behind a heap block", "int *#p = calloc($, sizeof *#p);\nout_i(#p[$ * one]);!\nfree(#p);"),
    memory("write right behind a heap block", "char *#p = malloc($), *#q = #p; while (one && #q - #p < 9 * one) #q++;\n*#q = 1;!\nfree(#p);"),
    memory("write before a heap block", "long long *#p = calloc($, 8);\n#p[-one] = 1;!\nfree(#p);"),
    memory("half behind a heap block", "char *#p = calloc(1, 8 + $); int #v;\nmemcpy(&#v, #p + 8 + 7 * one, sizeof #v);!\nout_i(#v); free(#p);"),
    memory("read after free", "int *#p = calloc($, 4); int *volatile #q = #p; free(#p);\nout_i(*#q);!"),
    memory("write after free", "int *#p = calloc($, 4); int *volatile #q = #p; free(#p);\n*#q = 2;!"),
    memory("read after realloc", "char *#p = calloc(1, $); char *volatile #q = #p; #p = realloc(#p, 4000);\nout_i(*#q);!\nfree(#p);"),
    memory("double free", "void *#p = malloc($); void *volatile #q = #p; free(#p);\nfree(#q);!"),
    memory("free of a local variable", "int #v = $; void *volatile #q = &#v;\nfree(#q);!"),
    memory("free of a global variable", "static int @#v;|||void *volatile #q = &@#v;\nfree(#q);!"),
    memory("free inside of a block", "char *#p = malloc($ + 16); char *volatile #q = #p + 8 * one;\nfree(#q);!\nfree(#p);"),
    memory("read through null", "int *volatile #p = 0;\nout_i(*#p);!"),
    memory("write through null", "short *volatile #p = 0;\n*#p = $;!"),
    memory("member of null", "struct { long a[4]; int b; } *volatile #p = 0;\nout_i(#p->b);!"),
    memory("copy of null", "struct #S { long a[4]; } *volatile #p = 0, #s;\n#s = *#p;!\nout_i(#s.a[0]);"),
    memory("variable of a function that has returned", "__attribute__((noinline)) static int *@#f(int x) { int a = x, *volatile p = &a; return p; }|||int *volatile #p = @#f($);\nout_i(*#p);!"),
    memory("array of a function that has returned", "__attribute__((noinline)) static char *@#f(int x) { char a[30] = {x}; char *volatile p = a; return p; }|||char *volatile #p = @#f($);\n#p[3] = 1;!"),
    memory("strcpy into too little", "char #a[$]; volatile char *#b = #a; (void)#b;\nstrcpy(#a, one ? \"a longer text\" : \"\");!"),
    memory("strcpy into a block", "char *#p = malloc($);\nstrcpy(#p, one ? \"a longer text\" : \"\");!\nfree(#p);"),
    memory("strlen without an end", "char #a[4]; memset(#a, 'a', 3 + one);\nout_u(strlen(#a));!"),
    memory("printf without an end", "char *#p = malloc($); memset(#p, 'a', $);\nprintf(\"%s\\n\", #p);!\nfree(#p);"),
    memory("memset beyond", "int #a[$] = {0};\nmemset(#a, 0, sizeof #a + one);!\nout_i(#a[0]);"),
    memory("memcpy beyond", "char #a[20], *#p = calloc(1, $);\nmemcpy(#a, #p, 10 * one);!\nout_i(#a[0]); free(#p);"),
    memory("memmove beyond", "char #a[$ + 1] = {0}; int #n = sizeof #a;\nmemmove(#a + one, #a, #n);!\nout_i(#a[0]);"),
    memory("strcat beyond", "char #a[8] = \"abcdef\";\nstrcat(#a, one ? \"gh\" : \"\");!\nout_i(#a[0]);"),
    memory("sprintf beyond", "char *#p = malloc(4);\nsprintf(#p, \"%d\", 1000 + $ * one);!\nfree(#p);"),
    memory("memcpy onto itself", "char #a[30] = {$};\nmemcpy(#a + one, #a, 5);!\nout_i(#a[3]);"),
    memory("strcmp without an end", "char *#p = malloc(2); #p[0] = #p[1] = 'x';\nout_i(strcmp(#p, \"xxx\"));!\nfree(#p);"),
    memory("two dimensions", "int #a[2][3] = {{1}}; int *#p = &#a[0][0];\nout_i(#p[6 * one + $]);!"),
    memory("behind the array of a parameter", "static int @#f(const int *p, int n) {\nreturn p[n];!\n}|||int #a[$] = {1}; out_i(@#f(#a, sizeof #a / sizeof *#a));"),
    memory("behind an array of variable length", "int #n = $ * one; int #a[#n]; for (int i = 0; i < #n; i++) #a[i] = i; int *#p = #a;\nout_i(#p[#n]);!"),
    memory("behind a flexible array", "struct #S { int n; int a[]; } *#p = calloc(1, sizeof *#p + 4 * $);\n#p->a[$ * one] = 1;!\nfree(#p);"),
    memory("write to a constant", "static const int @#c[2] = {1, 2};|||int *volatile #p = (int *)@#c;\n*#p = $;!"),
    memory("write to a literal", "char *volatile #p = \"text\";\n#p[1] = 'x';!"),
    overflow("addition", "int #v = 0x7fffffff - $;\n#v = #v + 10 * one;!\nout_i(#v);"),
    overflow("subtraction", "long #v = (-__LONG_MAX__ - 1) + $;\n#v -= 10 * one;!\nout_i(#v);"),
    overflow("multiplication", "long long #v = 0x4000000000000000ll >> one;\n#v = #v * (4 + $);!\nout_i(#v);"),
    overflow("multiplication of short", "unsigned short #v = 65535 - $; int #w = 0;\n#w = #v * (#v + zero);!\nout_i(#w);"),
    overflow("negation", "int #v = -0x7fffffff - one;\n#v = -#v;!\nout_i(#v);"),
    overflow("increment", "int #v = 0x7fffffff - zero;\n#v++;!\nout_i(#v);"),
    overflow("decrement", "long long #v = -0x7fffffffffffffffll - one;\n--#v;!\nout_i(#v);"),
    overflow("division by zero", "int #v = $;\n#v = #v / zero;!\nout_i(#v);"),
    overflow("remainder by zero", "unsigned long long #v = $;\n#v %= (unsigned)zero;!\nout_u(#v);"),
    overflow("the smallest number by -1", "int #v = -0x7fffffff - one;\n#v = #v / -one;!\nout_i(#v);"),
    overflow("a remainder of it", "long long #v = -0x7fffffffffffffffll - one;\n#v = #v % -one;!\nout_i(#v);"),
    overflow("shift too far", "unsigned #v = $;\n#v = #v << 32 * one;!\nout_u(#v);"),
    overflow("shift right too far", "long long #v = $;\n#v >>= 63 + $ * one;!\nout_i(#v);"),
    overflow("shift by less than nothing", "int #v = $;\n#v = #v << -one;!\nout_i(#v);"),
    overflow("float to int", "double #v = 3e9 * one; int #w = 0;\n#w = #v;!\nout_i(#w);"),
    overflow("double to unsigned char", "float #v = -1.5f - $ * one; unsigned #w = 0;\n#w = #v;!\nout_u(#w);"),
    overflow("long double to long long", "long double #v = 0x1p63L * one; long long #w = 0;\n#w = #v;!\nout_i(#w);"),
    unset("a local variable", "int #v; volatile int *#p = &#v; if (zero) *#p = 1;\nif (*#p > $) out_i(1);!"),
    unset("a heap block", "int *#p = malloc($ * 4); int #v = *#p; free(#p);\nif (#v == 3) out_i(1);!"),
    unset("a member", "struct { int a, b; } #s; #s.a = $;\nif (#s.b + #s.a > 3) out_i(1);!"),
    unset("a part of an array", "char #a[9]; memset(#a, 1, $ * one);\nswitch (#a[8]) { case 1: out_i(1); }!"),
    unset("handed over", "__attribute__((noinline)) static int @#f(int *p) { return *p; }|||int #v[2]; #v[0] = $; int #w = @#f(#v + one);\nwhile (#w == 77) out_i(#w--);!"),
    Plant("an assertion", Kind::Assertion, Judge::Usual, "int #v = $;\nassert(#v + one == 0);!"),
    Plant("abort", Kind::Abort, Judge::Usual, "if (one)\nabort();!"),
    Plant("unreachable", Kind::Abort, Judge::Nobody, "if (one)\n__builtin_unreachable();!"),
    Plant("a leak", Kind::Leak, Judge::Nobody, "char *#p = malloc($); #p[0] = 1; out_i(#p[0]); #p = 0;"),
];

/// An error: what belongs before the function, what belongs into it, and what it is.
pub(crate) fn plant(maker: &mut Maker) -> (Vec<Node>, Node, Planted) {
    let Plant(name, kind, judge, text) = maker.random.of(&PLANTS);
    let fresh = maker.name("e");
    let number = (1 + maker.random.below(8)).to_string();
    let text = text.replace('#', &fresh).replace('$', &number);
    let lines = |text: &str| -> Vec<Node> {
        let marked = |text: &str| text.strip_suffix('!').map(|text| format!("{text} {MARK}"));
        text.lines().map(|text| line(marked(text).unwrap_or_else(|| text.to_owned()))).collect()
    };
    let (before, within) = text.split_once("|||").unwrap_or(("", &text));
    (lines(before), block("", lines(within)), Planted { name, kind: *kind, judge: *judge })
}
