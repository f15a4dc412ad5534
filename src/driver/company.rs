//! When a recorder lets other engines explore beside the one that it hears.
use super::recorder::Recorder;

impl Recorder {
    /// Lets others explore, if that is due after what the usual engine has done. True: one has given the answer.
    pub(super) fn may_be_answered_by_others(&mut self, counters: &por::Statistics) -> bool {
        let may = self.has_company && self.has_found_nothing() && self.raced.is_empty() && self.answer.is_none();
        let is_pointless = !self.has_found_nothing();
        if let Some(beside) = &mut self.beside {
            if may {
                self.answer = beside.answer(&self.pristine, counters.into());
            } else if is_pointless {
                beside.end();
            }
        }
        self.answer.is_some()
    }

    /// Everything was explored, and nothing is wrong: lets others come to that with less, or find that it is not so.
    pub(super) fn may_be_answered_better(&mut self, counters: &por::Statistics) {
        let may = self.has_company && self.has_found_nothing() && self.answer.is_none();
        if let Some(beside) = self.beside.as_mut().filter(|_| may) {
            self.answer = beside.better_answer(&self.pristine, counters.into());
        }
    }
}
