//! Where `errno` lies, of which each thread has its own as soon as somebody asks for it.
use crate::library::LibraryCall;
use crate::library::hooks::{Content, ModelError};
use crate::memory::{Internal, Mode, ObjectKind, Request};

impl LibraryCall<'_> {
    /// Address of the calling thread's `errno`.
    pub(super) fn place_of_errno(&mut self) -> Result<u64, ModelError> {
        let known = self.machine.thread(self.machine.segment.current).rare.errno;
        if known != 0 {
            return Ok(known);
        }
        let origin = self.machine.origin(Mode::Plain);
        let kind = ObjectKind::Internal(Internal::Errno);
        let request = Request { kind, size: 4, align: 4, content: Content::Zero };
        let result = self.machine.state.memory.allocate(&origin, request);
        let address = self.checked(result)?;
        self.machine.rare_mut(self.machine.segment.current).errno = address;
        Ok(address)
    }
}
