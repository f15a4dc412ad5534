//! Values of inputs that lead to a violation.
use super::InputValue;
use crate::machine::Machine;
use crate::solver::{Answer, Counters};
use crate::term::Input;
use crate::verdict::fault::Fault;
use por::ThreadId;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Why a violation is none.
pub(crate) fn no_values(message: &str, reason: &str) -> String {
    format!("solver: no inputs are known that lead to \"{message}\": {reason}")
}

/// How many inputs are brought near to 0.
const MOST: usize = 32;

impl Machine {
    /// A machine that was not started, for the same program with these inputs: an ordinary one. Inputs that are not
    /// mentioned are 0.
    #[must_use]
    pub fn with_inputs(&self, inputs: &[InputValue]) -> Machine {
        let mut machine = self.clone();
        machine.exploration.inputs = Some(Arc::from(inputs));
        machine
    }

    /// Whether the program reads inputs that may be anything, as far as it was explored. It then has decisions.
    pub fn reads_inputs(&self) -> bool {
        self.learned.reads_inputs
    }

    /// Whether inputs that may be anything are read, so that there are terms.
    pub(crate) fn has_terms(&self) -> bool {
        self.learned.reads_inputs && self.exploration.inputs.is_none()
    }

    /// What tells the path of the current execution from others of the same exploration: what each thread has decided
    /// about inputs, in whichever order of the threads. `None` where nothing is read that may be anything.
    pub fn path(&self) -> Option<u128> {
        self.has_terms().then(|| self.state.path.identity())
    }

    /// How questions about inputs were answered.
    pub fn questions(&self) -> Counters {
        self.lifelong.symbols.chain.counters()
    }

    /// Adds the values of inputs to a fault found in this state. An error says why there are none.
    pub(crate) fn with_values(&mut self, mut fault: Fault) -> Result<Fault, String> {
        if !self.has_terms() {
            return Ok(fault);
        }
        let path = self.state.path.constraints();
        let symbols = &mut self.lifelong.symbols;
        let mut used: BTreeSet<Input> = BTreeSet::new();
        path.iter().for_each(|constraint| used.extend(&*symbols.terms.inputs(*constraint)));
        let mut order: Vec<(ThreadId, u32, u8, Input)> = used
            .into_iter()
            .map(|input| {
                let (thread, number, width) = symbols.inputs[input.0 as usize];
                (thread, number, width, input)
            })
            .collect();
        order.sort_unstable();
        let small: Vec<(Input, u8)> = order.iter().take(MOST).map(|&(_, _, width, input)| (input, width)).collect();
        let model = match symbols.chain.small_model(&mut symbols.terms, &path, &small) {
            Answer::Sat(model) => model,
            Answer::Unsat => return Err("the solver contradicts itself".to_owned()),
            Answer::Unknown(reason) => return Err(reason),
        };
        let value = |&(thread, number, _, input): &(ThreadId, u32, u8, Input)| InputValue {
            thread,
            number,
            value: model.input(input) as u64,
        };
        fault.inputs = Some(order.iter().map(value).collect());
        fault.looks = self.state.path.looks().collect();
        Ok(fault)
    }

    /// The same for several; those without values are reasons for "unknown".
    pub(crate) fn all_with_values(&mut self, findings: por::Findings<Fault>) -> por::Findings<Fault> {
        if findings.faults.is_empty() {
            return findings;
        }
        let mut all = por::Findings { unknown: findings.unknown, ..por::Findings::default() };
        for fault in findings.faults {
            let message = fault.message.clone();
            match self.with_values(fault) {
                Ok(fault) => all.faults.push(fault),
                Err(reason) => {
                    all.unknown.get_or_insert(no_values(&message, &reason));
                }
            }
        }
        all
    }
}
