//! Random C programs that call library functions on texts of which some characters are inputs: explored once for all
//! values, and once for each.
//!
//! A text has characters of an alphabet of four, chosen by inputs of two bits: from a constant table, by arithmetic, or
//! by a decision. Results of library functions are asserted, branched on and added up; at the end, what is left of
//! results, buffers and `errno` decides which of eight assertions fails. So a difference in any result shows. Buffers
//! are small: some calls leave them.
use crate::campaign::programs;
use crate::on_all;
use crate::symbolic::{Compared, Program, compare, machines};
use interp::Options;
use interp::solver::Settings;
use random::Random;
use std::fmt::Write as _;

struct Writer {
    random: Random,
    text: String,
    /// The alphabet, as in C.
    letters: [&'static str; 4],
    inputs: u64,
}

/// Alphabets: letters, words with delimiters, numbers with signs, numbers with prefixes, any bytes.
const ALPHABETS: [[&str; 4]; 6] = [
    ["'a'", "'b'", "'A'", "'\\0'"],
    ["'a'", "','", "' '", "'\\0'"],
    ["'1'", "'-'", "' '", "'9'"],
    ["'0'", "'x'", "'7'", "'\\0'"],
    ["'a'", "'\\x7f'", "'\\xff'", "'Z'"],
    ["'a'", "'b'", "'c'", "'d'"],
];

impl Writer {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{text}");
    }

    fn letter(&mut self) -> &'static str {
        let letters = self.letters;
        self.random.pick(&letters)
    }

    /// A text of the program, mostly the one that has inputs.
    fn buffer(&mut self) -> String {
        let name = self.random.pick(&["s", "s", "s", "t"]);
        match self.random.below(4) {
            0 => format!("({name} + 1)"),
            _ => name.to_owned(),
        }
    }

    /// A text that is given, or one of the program.
    fn other(&mut self) -> String {
        match self.random.below(3) {
            0 => self.buffer(),
            _ => {
                let count = self.random.below(3);
                let letters: Vec<&str> = (0..count).map(|_| self.letter()).collect();
                format!("(char[]){{{}'\\0'}}", letters.iter().map(|letter| format!("{letter}, ")).collect::<String>())
            }
        }
    }

    /// A character as an `int`.
    fn character(&mut self) -> String {
        match self.random.below(4) {
            0 => format!("s[{}]", self.random.below(3)),
            1 => format!("(unsigned char)t[{}]", self.random.below(2)),
            _ => self.letter().to_owned(),
        }
    }

    /// A number of bytes.
    fn bound(&mut self) -> String {
        match self.random.below(4) {
            0 if self.inputs > 0 => format!("(size_t)(in{} & 3)", self.random.below(self.inputs)),
            _ => format!("{}u", self.random.below(5)),
        }
    }

    /// A call, as an expression of type `long`.
    fn call(&mut self) -> String {
        let (a, b) = (self.buffer(), self.other());
        let (c, n) = (self.character(), self.bound());
        match self.random.below(34) {
            0 => format!("strlen({a})"),
            1 => format!("strnlen({a}, {n})"),
            2 => format!("SIGN(strcmp({a}, {b}))"),
            3 | 4 => format!("SIGN(strncmp({a}, {b}, {n}))"),
            5 => format!("SIGN(strcasecmp({a}, {b}))"),
            6 => format!("SIGN(strncasecmp({a}, {b}, {n}))"),
            7 => format!("PLACE(strchr({a}, {c}))"),
            8 => format!("PLACE(strrchr({a}, {c}))"),
            9 => format!("PLACE(strchrnul({a}, {c}))"),
            10 => format!("PLACE(strstr({a}, {b}))"),
            11 => format!("PLACE(strcasestr({a}, {b}))"),
            12 => format!("strspn({a}, {b})"),
            13 => format!("strcspn({a}, {b})"),
            14 => format!("PLACE(strpbrk({a}, {b}))"),
            15 => format!("SIGN(memcmp({a}, {b}, {}))", self.random.below(3)),
            16 => format!("PLACE(memchr({a}, {c}, {n}))"),
            17 => format!("PLACE(memrchr({a}, {c}, {n}))"),
            18 => format!("PLACE(memmem({a}, {}, {b}, 1))", self.random.below(4)),
            19 | 20 => {
                let class =
                    self.random.pick(&["isalpha", "isdigit", "isspace", "isupper", "isxdigit", "ispunct", "iscntrl"]);
                // In parentheses it is the function, without them the macro.
                let name = if self.random.once_in(2) { class.to_owned() } else { format!("({class})") };
                format!("!!{name}((unsigned char)({c}))")
            }
            21 => format!("toupper((unsigned char)({c}))"),
            22 => format!("tolower({c})"),
            23 | 24 => format!("atoi({a})"),
            25 => format!("strtol({a}, &end, {})", self.random.pick(&["0", "10", "16", "8", "2", "1"])),
            26 => format!("(long)strtoul({a}, &end, {})", self.random.pick(&["0", "10", "16", "36"])),
            27 => format!("abs({c} - 'b')"),
            28 => format!("(long)ntohl((unsigned)({c}))"),
            29 => format!("snprintf(t, {}, \"%d\", {c} - 'a')", self.random.below(5)),
            30 => format!("snprintf(t, 8, \"%x%c\", (unsigned)({c}), {c})"),
            31 => format!("sprintf(t, \"%.2s|\", {a})"),
            32 => format!("ffs({c})"),
            _ => format!("printf(\"%d %s\\n\", {c}, {a})"),
        }
    }

    /// A call that changes a text.
    fn change(&mut self) -> String {
        let (a, b) = (self.buffer(), self.other());
        let (c, n) = (self.character(), self.bound());
        match self.random.below(11) {
            0 => format!("strcpy(t, {b})"),
            1 => format!("strncpy(t, {a}, {n})"),
            2 => format!("strcat(t, {b})"),
            3 => format!("strncat(t, s, {n})"),
            4 => format!("memset(t, {c}, {n})"),
            5 => format!("memcpy(t, s, {n})"),
            6 => format!("memmove(s, s + 1, {n})"),
            7 => "strtok_r(s, \", \", &end)".to_owned(),
            8 => "(end = s, strsep(&end, \", \"))".to_owned(),
            9 => format!("(end = strdup({a}), strcpy(t, end), free(end), t)"),
            _ => format!("stpcpy(t, {b})"),
        }
    }

    fn statements(&mut self, count: u64, depth: u32) {
        for _ in 0..count {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        match self.random.below(8) {
            0 | 1 => {
                let call = self.change();
                self.line(&format!("r = r * 3 + PLACE({call});"));
            }
            2 => {
                let (call, value) = (self.call(), self.random.below(4));
                self.line(&format!("assert({call} != {value});"));
            }
            3 if depth > 0 => {
                let (call, limit) = (self.call(), self.random.below(3));
                self.line(&format!("if ({call} > {limit}) {{"));
                self.statements(1, depth - 1);
                self.line("} else {");
                self.statements(1, depth - 1);
                self.line("}");
            }
            _ => {
                let call = self.call();
                self.line(&format!("r = r * 3 + {call};"));
            }
        }
    }
}

/// The program of a seed.
fn program(seed: u64, number: u64) -> Program {
    let mut random = Random(seed);
    let letters = random.pick(&ALPHABETS);
    let inputs = 1 + random.below(3);
    let mut w = Writer { random, text: String::new(), letters, inputs };
    let p = |name: &str| format!("p{number}_{name}");
    w.line(&format!("static const char {}[] = {{{}}};", p("letters"), letters.join(", ")));
    let threaded = w.random.once_in(4);
    w.line(&format!("static unsigned {}; static pthread_mutex_t {} = PTHREAD_MUTEX_INITIALIZER;", p("left"), p("m")));
    w.line(&format!("static void {}(const char *given, unsigned in0, unsigned in1, unsigned in2) {{", p("work")));
    w.line("char s[6], t[10] = \"ab\", *end = s; unsigned long r = 0; (void)end; (void)in0; (void)in1; (void)in2;");
    w.line("memcpy(s, given, sizeof s); errno = 0;");
    let count = 1 + w.random.below(4);
    w.statements(count, 1);
    w.line("for (int i = 0; i < 3; i++) r = r * 5 + (unsigned char)s[i] + 2 * (unsigned char)t[i];");
    w.line("r += (unsigned long)errno + PLACE(end);");
    w.line(&format!(
        "pthread_mutex_lock(&{0}); {1} += (unsigned)(r ^ r >> 5); pthread_mutex_unlock(&{0});",
        p("m"),
        p("left")
    ));
    w.line("}");
    w.line(&format!("static char {}[6]; static unsigned {}[3];", p("given"), p("in")));
    w.line(&format!("static void *{}(void *unused) {{", p("worker")));
    w.line(&format!("{}({}, {2}[0], {2}[1], {2}[2]); return unused; }}", p("work"), p("given"), p("in")));
    w.line(&format!("static void {}(void) {{", p("main")));
    let mut read = Vec::new();
    for place in 0..5 {
        let (given, input) = (format!("{}[{place}]", p("given")), format!("{}[{place}]", p("in")));
        if place >= inputs {
            let letter = w.letter();
            w.line(&format!("{given} = {letter};"));
            continue;
        }
        read.push((0, place as u32, 4));
        w.line(&format!("{input} = __VERIFIER_nondet_uchar() & 3;"));
        let form = w.random.below(4);
        match form {
            0 => w.line(&format!("{given} = (char)({} + {input});", letters[0])),
            1 => w.line(&format!(
                "{given} = {input} == 0 ? {} : {input} == 1 ? {} : {input} == 2 ? {} : {};",
                letters[0], letters[1], letters[2], letters[3]
            )),
            _ => w.line(&format!("{given} = {}[{input}];", p("letters"))),
        }
    }
    if threaded {
        w.line(&format!("pthread_t worker; pthread_create(&worker, 0, {}, 0); pthread_join(worker, 0);", p("worker")));
    } else {
        w.line(&format!("{}(0);", p("worker")));
    }
    for value in 0..8 {
        w.line(&format!("assert(({} & 7) != {value});", p("left")));
    }
    w.line("}");
    Program { text: w.text, inputs: read }
}

#[test]
fn texts_agree_with_all_values() {
    let count = programs("VERIFY_TEXTS", [10, 200]);
    let options = Options { symbolic: Some(Settings::default()), ..Options::default() };
    let results = on_all("programs with texts", count, |seeds| {
        let programs: Vec<Program> = seeds.clone().zip(0..).map(|(seed, number)| program(seed, number)).collect();
        let machines = machines(&programs, &options);
        let each = seeds.zip(&programs).zip(machines).map(|((seed, program), machine)| {
            compare(program, &machine).unwrap_or_else(|error| {
                panic!("VERIFY_SEED={seed} VERIFY_TEXTS=1: {error}\n{}", program.text);
            })
        });
        each.collect()
    });
    let compared: Vec<Compared> = results.into_iter().flatten().collect();
    let (all, bugs) = (compared.len() as u64, compared.iter().map(|result| result.bugs).sum::<usize>());
    let unknown = compared.iter().filter(|result| result.unknown).count() as u64;
    println!("{all} of {count} programs with texts compared, {bugs} violations, {unknown} unknown");
    assert!(2 * all >= count, "too many programs are too large");
    assert!(10 * unknown <= all, "too many programs are unknown on symbolic data");
}
