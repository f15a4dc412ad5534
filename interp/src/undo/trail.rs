//! A list of what things were, of which the end can be taken back mark by mark.

/// What things were before they changed, the oldest first. Each entry carries the number of marks at the time, so that
/// a mark costs a list nothing in which nothing happens.
#[derive(Clone, Debug)]
pub(crate) struct Trail<T>(Vec<(u32, T)>);

impl<T> Default for Trail<T> {
    fn default() -> Self {
        Trail(Vec::new())
    }
}

impl<T> Trail<T> {
    /// Adds an entry, when there are that many marks.
    #[inline]
    pub(crate) fn push(&mut self, marks: u32, entry: T) {
        self.0.push((marks, entry));
    }

    /// Takes the newest entry if it was added since there are that many marks.
    #[inline]
    pub(crate) fn pop(&mut self, marks: u32) -> Option<T> {
        match self.0.last() {
            Some((then, _)) if *then >= marks => self.0.pop().map(|(_, entry)| entry),
            _ => None,
        }
    }

    /// Hands out the entries that were added since there are that many marks, the newest first, and forgets them.
    #[inline]
    pub(crate) fn take_back(&mut self, marks: u32, mut restore: impl FnMut(&T)) {
        while let Some((then, entry)) = self.0.last()
            && *then >= marks
        {
            restore(entry);
            self.0.truncate(self.0.len() - 1);
        }
    }

    /// The entries that were added since there are that many marks, the newest first.
    pub(crate) fn since(&self, marks: u32) -> impl Iterator<Item = &T> {
        self.0.iter().rev().take_while(move |(then, _)| *then >= marks).map(|(_, entry)| entry)
    }

    /// Bytes of the list.
    pub(crate) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<(u32, T)>()
    }

    /// How many entries there are.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

/// The marks since which something happened that seldom does, so that the others need not look for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seldom(Vec<u32>);

impl Seldom {
    /// It happens, when there are that many marks.
    pub(crate) fn note(&mut self, marks: u32) {
        if self.0.last() != Some(&marks) {
            self.0.push(marks);
        }
    }

    /// Whether it happened since there are that many marks.
    #[inline]
    pub(crate) fn happened(&self, marks: u32) -> bool {
        self.0.last() == Some(&marks)
    }

    /// The same; forgets it.
    #[inline]
    pub(crate) fn take_back(&mut self, marks: u32) -> bool {
        let happened = self.happened(marks);
        if happened {
            self.0.truncate(self.0.len() - 1);
        }
        happened
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mark_takes_back_its_own() {
        let mut list = Trail::default();
        list.push(1, 'a');
        list.push(3, 'b');
        list.push(3, 'c');
        assert_eq!((list.pop(4), list.len()), (None, 3));
        let mut taken = Vec::new();
        list.take_back(3, |entry| taken.push(*entry));
        assert_eq!((taken, list.pop(3)), (vec!['c', 'b'], None));
        assert_eq!((list.pop(2), list.pop(1), list.pop(1)), (None, Some('a'), None));
    }

    #[test]
    fn what_seldom_happens_is_known_by_mark() {
        let mut seldom = Seldom::default();
        for marks in [1, 1, 3] {
            seldom.note(marks);
        }
        let happened = [4, 3, 3, 2, 1, 1].map(|marks| seldom.take_back(marks));
        assert_eq!(happened, [false, true, false, false, true, false]);
    }
}
