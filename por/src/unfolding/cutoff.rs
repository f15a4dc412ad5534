//! Cutoffs: events whose local configuration leads to a state that a smaller one leads to as well (RSSK15, Def. 9), so
//! that everything after them is found after that one.
//!
//! **The state of `[e]`** is not the state of the machine. Every event says how it changed the state, as terms of a sum
//! over what the state consists of ([`crate::Change`]); prefix sums per thread then give the fingerprint of any
//! configuration as one addition per thread. Local steps are run together with the event in front of them but count for
//! the thread's *next* event: in the state of `[e]` every thread stands right behind its last visible action. So what
//! local steps after a cutoff do (races, faults) is seen after the event that it corresponds to.
//!
//! **The order** is that of ERV02: by size, then by which actions occur how often, then by the Foata
//! normal form, level by level. An action's *letter* is its thread, its variant and its accesses. The order is
//! adequate: if two configurations lead to the same state, the same extension of both keeps their order. For sizes and
//! for counts of letters that is plain. For Foata normal forms of equally many equal letters, which are equal below
//! level i and not at i, say, let an action extend both configurations. If its causes lie below level i in one of them,
//! nothing from level i on depends on it there; the letters from level i on are the same in the other one, and say what
//! depends on what; so its causes lie below level i there as well, and they are the same events: it joins the same
//! level in both. Otherwise it joins a level beyond i in both. Equal letters joining equal levels do not change which
//! of two multisets of letters is smaller.
//!
//! **Forgetting.** Every minimal configuration that leads to some state is explored, whatever is known: if an event e
//! of it were cut off, a smaller local configuration would lead to the state of `[e]`, and with what follows e a
//! smaller one to that state. This asks of a cutoff only that such a configuration *exists*, not that it is still
//! known, or was explored to its end. So what is known of states may be forgotten at any time: less is cut off then,
//! and nothing wrongly.
use super::foata::{Line, Lines, growth};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Which order says that a configuration is smaller than another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Order {
    /// By size alone (McM93).
    Size,
    /// By size, counts and Foata normal form (ERV02): total, so that of two events with the same
    /// state one is always a cutoff.
    #[default]
    Erv,
}

/// A local configuration, as far as it takes to compare it.
#[derive(Default)]
pub(super) struct Measure {
    /// Number of events.
    pub(super) size: u32,
    /// Sum of the weights of its letters: two multisets of letters are taken to be the same if it is.
    pub(super) weight: u128,
    /// Its Foata normal form.
    pub(super) normal_form: Vec<Line>,
}

/// The smallest known configuration that leads to a state.
#[derive(Serialize, Deserialize)]
struct Representative {
    size: u32,
    weight: u128,
    /// Where its Foata normal form is, if it is kept.
    normal_form: Option<(usize, u32)>,
}

/// What is known of states.
#[derive(Serialize, Deserialize)]
pub(super) struct Cutoffs {
    order: Order,
    states: FxHashMap<u128, Representative>,
    normal_forms: Vec<Line>,
    lines: Lines,
    letters: FxHashMap<u128, u32>,
    late: u64,
}

impl Cutoffs {
    pub(super) fn new(order: Order) -> Self {
        Cutoffs {
            order,
            states: FxHashMap::default(),
            normal_forms: Vec::new(),
            lines: Lines::new(),
            letters: FxHashMap::default(),
            late: 0,
        }
    }

    /// The line of a thread whose next action, at that level, has that name. It is not needed if configurations are
    /// compared by their sizes.
    pub(super) fn line(&mut self, before: Line, level: u32, name: u128) -> Line {
        if self.order == Order::Size {
            return before;
        }
        // A letter is small, and the same in the whole exploration.
        let next = self.letters.len() as u32;
        let letter = *self.letters.entry(name).or_insert(next);
        self.lines.extended(before, level, letter)
    }

    /// Puts everything into its tables again.
    pub(super) fn index(&mut self) {
        self.lines.index();
    }

    /// How many states are known.
    pub(super) fn states(&self) -> usize {
        self.states.len()
    }

    /// How often a state was reached by a configuration of fewer events than before.
    pub(super) fn late(&self) -> u64 {
        self.late
    }

    /// Whether a smaller configuration is known that leads to this state. If not, and if none that was known is
    /// smaller, this one is remembered.
    pub(super) fn is_cutoff(&mut self, state: u128, measure: &Measure) -> bool {
        let known = self.states.get(&state);
        let order = known.map_or(Ordering::Less, |known| self.compare(measure, known));
        // (An equal one that cannot be compared because its normal form was forgotten is of less use than this one.)
        let comparable = || self.order == Order::Size || known.is_some_and(|known| known.normal_form.is_some());
        if order == Ordering::Less || order == Ordering::Equal && !comparable() {
            self.late += u64::from(known.is_some_and(|known| known.size > measure.size));
            let normal_form = self.keep_normal_form(known.and_then(|known| known.normal_form), measure);
            self.states.insert(state, Representative { size: measure.size, weight: measure.weight, normal_form });
        }
        order == Ordering::Greater
    }

    /// Bytes of the tables (but for letters, which are few), and how many more they take when they grow next, if that
    /// is soon.
    pub(super) fn bytes(&self) -> (usize, usize) {
        let (state, line) = (size_of::<(u128, Representative)>() * 8 / 7, size_of::<Line>());
        let Cutoffs { states, normal_forms: forms, lines, .. } = self;
        let (lines, lines_growth) = lines.bytes();
        let growth = growth(states.len(), states.capacity()) * state + growth(forms.len(), forms.capacity()) * line;
        (states.capacity() * state + forms.capacity() * line + lines, growth + lines_growth)
    }

    /// Forgets all normal forms: of two configurations of equally many equal letters none is smaller then. Lines that
    /// events have are kept, with other numbers.
    pub(super) fn forget_normal_forms<'a>(&mut self, in_use: impl Iterator<Item = &'a mut Line>) {
        self.normal_forms = Vec::new();
        for known in self.states.values_mut() {
            known.normal_form = None;
        }
        self.lines.retain(in_use);
    }

    /// Forgets at least every second state, and those that are reached late. (Letters keep their meaning, since events
    /// have them.)
    pub(super) fn forget_states(&mut self) {
        let mut sizes: Vec<u32> = self.states.values().map(|known| known.size).collect();
        let middle = sizes.len() / 2;
        if middle > 0 {
            let limit = *sizes.select_nth_unstable(middle).1;
            self.states.retain(|_, known| known.size < limit);
        }
        self.states.shrink_to_fit();
    }

    fn compare(&self, a: &Measure, b: &Representative) -> Ordering {
        let by_size = a.size.cmp(&b.size);
        if self.order == Order::Size {
            return by_size;
        }
        by_size.then(a.weight.cmp(&b.weight)).then_with(|| match b.normal_form {
            Some((start, len)) => self.lines.compare(&a.normal_form, &self.normal_forms[start..][..len as usize]),
            None => Ordering::Equal,
        })
    }

    /// Keeps a normal form, where another one was that is not needed any more, if it fits.
    fn keep_normal_form(&mut self, free: Option<(usize, u32)>, measure: &Measure) -> Option<(usize, u32)> {
        if self.order == Order::Size {
            return None;
        }
        let form = &measure.normal_form;
        match free {
            Some((start, len)) if len as usize == form.len() => {
                self.normal_forms[start..][..form.len()].copy_from_slice(form);
                free
            }
            _ => {
                let start = self.normal_forms.len();
                self.normal_forms.extend_from_slice(form);
                Some((start, form.len() as u32))
            }
        }
    }
}
