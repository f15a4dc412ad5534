//! The order of ERV02, for configurations of contextual nets.
//!
//! Smaller is the smaller one; of two of one size the one whose transitions, sorted by number, come first; of two with
//! the same transitions the one whose Foata normal form comes first, level by level. The level of an event in a
//! configuration is one more than the greatest level of those before it in ↗ (so a reader is a level below the event
//! that consumes what it reads). It depends on the event's history only. The steps of the normal form can be fired one
//! after the other and so determine the configuration; hence the order is total.
//!
//! **It is adequate** (Definition 15). It is well founded, as there are finitely many configurations of a size, and
//! refines ⊏ by size. That it is preserved by finite extensions is clear for size and transitions. Let C₁ and C₂ have
//! the same transitions and the same marking, and let their normal forms differ at level i first, where C₁ is smaller.
//! A condition c of Cut(C₁) generated below level i is in C₂, too, as all levels below i are equal. It is in Cut(C₂):
//! in the configurations the transitions that consume from the place of c occur equally often, and all of C₁'s consume
//! earlier tokens of the place, which are the same in C₂. In the same way as many of each transition read c in both. So
//! an event of an extension that has a level up to i after C₁ has the same level after C₂, and step i is, after both,
//! what it was and the same transitions more. That leaves the comparison of the steps as it is, if of two steps the
//! shorter one is smaller and only steps of one length are compared as words. With words alone it would not: {1} comes
//! before {1, 2}, but {1, 3} after {1, 2, 3}. So [`Steps::Words`], which public tools use, is there to compare counts
//! with theirs, not to prove anything.
use super::super::clock::Union;
use super::{BOTTOM, Candidate, Unfolder};
use std::cmp::Ordering;

/// How the steps of Foata normal forms are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Steps {
    /// By length, then as words: adequate.
    #[default]
    LengthFirst,
    /// As words, of which the beginning of another is smaller. Not preserved by extensions, so there is no proof that
    /// the prefix is complete.
    Words,
}

/// Memory for comparisons.
#[derive(Default)]
pub(super) struct Comparison {
    unions: [(Union, Union); 2],
}

impl Unfolder<'_> {
    /// Whether the first of two candidates of one size and marking is the smaller one.
    pub(super) fn is_smaller(&mut self, a: &Candidate, b: &Candidate) -> bool {
        let mut comparison = std::mem::take(&mut self.comparison);
        for (candidate, (places, counts)) in [a, b].into_iter().zip(&mut comparison.unions) {
            self.unite(&candidate.family, places, counts);
            let occurrences = self.counts.of(counts, candidate.transition);
            self.counts.set(counts, candidate.transition, occurrences + 1);
        }
        let [(_, first), (_, second)] = &comparison.unions;
        let difference = self.counts.difference(first, second);
        self.comparison = comparison;
        // At the first transition that does not occur as often, the sorted sequence with more of it goes on with a
        // smaller one.
        match difference {
            Some((a, b)) => a > b,
            None => self.foata(a, b) == Ordering::Less,
        }
    }

    /// The order of Foata normal forms of two candidates with the same transitions.
    fn foata(&mut self, a: &Candidate, b: &Candidate) -> Ordering {
        let (first, second) = (self.inside(&a.family), self.inside(&b.family));
        let words = self.options.steps == Steps::Words;
        let only = |these: &[u32], others: &[u32], candidate: &Candidate| {
            let own = these.iter().filter(|history| words || others.binary_search(history).is_err());
            let step = |&history: &u32| {
                (self.levels[history as usize], self.transitions[self.events[history as usize] as usize])
            };
            let last = candidate.family.iter().map(|&history| self.levels[history as usize]).max().unwrap_or(BOTTOM);
            let mut steps: Vec<(u32, u32)> = own.map(step).collect();
            steps.push((last + 1, candidate.transition));
            steps.sort_unstable();
            steps
        };
        compare(&only(&first, &second, a), &only(&second, &first, b), self.options.steps)
    }
}

/// The order of two normal forms, as sorted pairs of level and transition. (By length first, what both have may be left
/// out.)
fn compare(mut a: &[(u32, u32)], mut b: &[(u32, u32)], steps: Steps) -> Ordering {
    while let Some(&(level, _)) = a.first().min(b.first()).or(a.first()).or(b.first()) {
        let step = |steps: &[(u32, u32)]| steps.iter().take_while(|(other, _)| *other == level).count();
        let (ours, theirs) = (step(a), step(b));
        let as_words = || a[..ours].cmp(&b[..theirs]);
        let order = if steps == Steps::Words { as_words() } else { ours.cmp(&theirs).then_with(as_words) };
        if order != Ordering::Equal {
            return order;
        }
        (a, b) = (&a[ours..], &b[theirs..]);
    }
    Ordering::Equal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_compared_by_size_then_by_transitions() {
        for (a, b, order) in [
            (&[(1, 5)][..], &[(1, 4)][..], Ordering::Greater),
            (&[(1, 5), (2, 1)], &[(1, 1), (1, 2)], Ordering::Less),
            (&[(2, 1)], &[(1, 1)], Ordering::Less),
            (&[(1, 1), (2, 3)], &[(1, 1), (2, 4)], Ordering::Less),
            (&[(1, 1)], &[(1, 1)], Ordering::Equal),
        ] {
            assert_eq!(compare(a, b, Steps::LengthFirst), order, "{a:?} {b:?}");
            assert_eq!(compare(b, a, Steps::LengthFirst), order.reverse(), "{b:?} {a:?}");
        }
        // Why words alone are not adequate.
        let order = |a: &[(u32, u32)], b: &[(u32, u32)]| compare(a, b, Steps::Words);
        assert_eq!(order(&[(1, 1)], &[(1, 1), (1, 2)]), Ordering::Less);
        assert_eq!(order(&[(1, 1), (1, 3)], &[(1, 1), (1, 2), (1, 3)]), Ordering::Greater);
    }
}
