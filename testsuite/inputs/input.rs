//! One mutated input: a function of its number.

use crate::seeds::{Form, Seeds};
use crate::{code, tokens};
use random::Random;

/// An input that may be anything.
#[derive(Clone)]
pub(crate) struct Input {
    /// How its file is to be called.
    pub(crate) form: Form,
    /// What is in it.
    pub(crate) bytes: Vec<u8>,
    /// Options for the compiler.
    pub(crate) flags: Vec<String>,
}

/// Makes inputs.
pub(crate) struct Maker {
    seeds: Seeds,
    /// Names of library functions, for calls of them.
    functions: Vec<&'static str>,
}

impl Maker {
    /// A maker from these seeds.
    pub(crate) fn new(seeds: Seeds) -> Self {
        let models: Vec<_> = runtime_model::registry().entries().iter().map(|entry| entry.name).collect();
        let code = runtime_model::CODE.iter().flat_map(runtime_model::Code::provides);
        Maker { seeds, functions: models.into_iter().chain(code).collect() }
    }

    /// The input with that number.
    pub(crate) fn make(&mut self, number: u64) -> Input {
        let mut random = Random(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        // Starting clang takes much longer than everything else.
        let form = match random.below(200) {
            0 => Form::Source,
            1..40 => Form::Bitcode,
            _ => Form::Text,
        };
        let bytes = self.seed(form, &mut random);
        let rounds = 1 + random.below(3);
        if form == Form::Bitcode || random.once_in(20) {
            let mut bytes = bytes;
            tokens::mutate_bytes(&mut bytes, &mut random);
            return Input { form, bytes, flags: Vec::new() };
        }
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        let flags =
            if form == Form::Source { crate::seeds::options(&text).map(str::to_owned).collect() } else { Vec::new() };
        if form == Form::Text {
            text = code::named(&text);
        }
        for _ in 0..rounds {
            text = match form == Form::Text && !random.once_in(6) {
                true => code::mutate(&text, &self.functions, &mut random),
                false => {
                    let other = self.seed(form, &mut random);
                    tokens::mutate(&text, &String::from_utf8_lossy(&other), &mut random)
                }
            };
        }
        Input { form, bytes: text.into_bytes(), flags }
    }

    fn seed(&mut self, form: Form, random: &mut Random) -> Vec<u8> {
        loop {
            let program = random.below(self.seeds.programs());
            if let Some(bytes) = self.seeds.get(program, form) {
                return bytes.to_vec();
            }
        }
    }
}
