//! Jumps back to a call of `setjmp`. Signal masks are not kept: no signal arrives.
use crate::args::{Done, int, word};
use crate::table::Family;
use interp::hooks::{Call, ModelResult, Registered};

const FAMILY: Family = Family::of("jumps");
const MASK: &str = "no signal arrives, so its mask is not kept";

/// `setjmp`, `longjmp` and what glibc's headers make of them.
pub(crate) const MODELS: &[Registered] = &[
    FAMILY.plain("setjmp", save),
    FAMILY.plain("_setjmp", save),
    FAMILY.noted("sigsetjmp", MASK, save),
    FAMILY.noted("__sigsetjmp", MASK, save),
    FAMILY.plain("longjmp", jump),
    FAMILY.plain("_longjmp", jump),
    FAMILY.noted("siglongjmp", MASK, jump),
    FAMILY.plain("__longjmp_chk", jump),
];

fn save(call: &mut dyn Call) -> Done {
    Ok(ModelResult::SaveContext { buffer: word(call, 0)? })
}

/// The second return is never one of 0.
fn jump(call: &mut dyn Call) -> Done {
    let (buffer, value) = (word(call, 0)?, int(call, 1)? as u32);
    Ok(ModelResult::RestoreContext { buffer, value: u64::from(value.max(1)) })
}

#[cfg(test)]
mod tests {
    use crate::testing::Fake;
    use interp::hooks::ModelResult;

    #[test]
    fn zero_becomes_one() {
        let mut fake = Fake::lp64();
        for (given, value) in [(0, 1), (1, 1), (u64::from(u32::MAX), u64::from(u32::MAX))] {
            let effect = fake.call("longjmp", &[64.into(), given.into()]);
            assert!(
                matches!(effect, Ok(ModelResult::RestoreContext { buffer: 64, value: v }) if v == value),
                "{effect:?}"
            );
        }
        assert!(matches!(fake.call("_setjmp", &[64.into()]), Ok(ModelResult::SaveContext { buffer: 64 })));
    }
}
