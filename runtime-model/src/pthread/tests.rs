//! What the models of pthreads decode.
use crate::testing::Fake;
use interp::fault::Kind;
use interp::operation::{Operation, Patience};

const EINVAL: i32 = 22;

#[test]
fn threads() {
    let mut fake = Fake::lp64();
    let created = fake.operation("pthread_create", &[8, 0, 0x100, 7]);
    let (routine, argument) = (0x100, 7);
    let created_as =
        |detached| Operation::Create { handle: 8, handle_bytes: 8, routine, argument, mark: 0, detached, c11: false };
    assert_eq!(created, created_as(false));
    assert_eq!(fake.assumed, ["creation-succeeds"]);
    let attribute = fake.object(56);
    assert_eq!(fake.violation("pthread_create", &[8, attribute, 0x100, 7]), Kind::Uninitialised);
    assert_eq!(fake.int("pthread_attr_init", &[attribute]), 0);
    assert_eq!(fake.operation("pthread_create", &[8, attribute, 0x100, 7]), created_as(false));
    assert_eq!(fake.int("pthread_attr_setdetachstate", &[attribute, 1]), 0);
    assert_eq!(fake.operation("pthread_create", &[8, attribute, 0x100, 7]), created_as(true));
    assert_eq!(fake.int("pthread_attr_destroy", &[attribute]), 0);
    assert_eq!(fake.violation("pthread_create", &[8, attribute, 0x100, 7]), Kind::Misuse);
    assert_eq!(fake.operation("pthread_join", &[3, 16]), Operation::Join { handle: 3, result: 16, c11: false });
    assert_eq!(fake.operation("pthread_exit", &[5]), Operation::ThreadExit { value: 5 });
    assert_eq!(fake.operation("pthread_detach", &[5]), Operation::Detach { handle: 5 });
    assert_eq!(fake.int("pthread_equal", &[1, 1]), 1);
    assert_eq!(fake.int("pthread_equal", &[1, 2]), 0);
    assert_eq!(fake.result("pthread_self", &[]), 1);
    assert_eq!(fake.violation("pthread_join", &[3]), Kind::Misuse);
}

#[test]
fn attributes_on_both_data_models() {
    for mut fake in [Fake::lp64(), Fake::ilp32()] {
        let size = if interp::hooks::Call::pointer_bytes(&fake) == 8 { 56 } else { 36 };
        let (attribute, result) = (fake.object(size), fake.object(8));
        assert_eq!(fake.int("pthread_attr_init", &[attribute]), 0);
        fake.int("pthread_attr_getstacksize", &[attribute, result]);
        assert_eq!(fake.int_at(result), 8 << 20);
        assert_eq!(fake.int("pthread_attr_setstacksize", &[attribute, 100]), EINVAL);
        assert_eq!(fake.int("pthread_attr_setstacksize", &[attribute, 65536]), 0);
        fake.int("pthread_attr_getstacksize", &[attribute, result]);
        assert_eq!(fake.int_at(result), 65536);
        fake.int("pthread_attr_getguardsize", &[attribute, result]);
        assert_eq!(fake.int_at(result), 4096);
        assert_eq!(fake.int("pthread_attr_setdetachstate", &[attribute, 2]), EINVAL);
        fake.int("pthread_attr_setdetachstate", &[attribute, 1]);
        fake.int("pthread_attr_setinheritsched", &[attribute, 1]);
        fake.int("pthread_attr_setdetachstate", &[attribute, 0]);
        fake.int("pthread_attr_getdetachstate", &[attribute, result]);
        assert_eq!(fake.int_at(result), 0);
        fake.int("pthread_attr_getinheritsched", &[attribute, result]);
        assert_eq!(fake.int_at(result), 1);
    }
}

#[test]
fn mutexes() {
    let mut fake = Fake::lp64();
    assert_eq!(
        fake.operation("pthread_mutex_lock", &[64]),
        Operation::MutexLock { mutex: 64, patience: Patience::Forever }
    );
    assert_eq!(
        fake.operation("pthread_mutex_trylock", &[64]),
        Operation::MutexLock { mutex: 64, patience: Patience::Never }
    );
    assert_eq!(fake.operation("pthread_mutex_unlock", &[64]), Operation::MutexUnlock { mutex: 64 });
    assert_eq!(fake.operation("pthread_mutex_destroy", &[64]), Operation::MutexDestroy { mutex: 64 });
    let attribute = fake.object(4);
    assert_eq!(fake.violation("pthread_mutex_init", &[64, attribute]), Kind::Uninitialised);
    fake.int("pthread_mutexattr_init", &[attribute]);
    fake.int("pthread_mutexattr_setpshared", &[attribute, 1]);
    for (number, name) in [(0, "Normal"), (1, "Recursive"), (2, "ErrorCheck"), (3, "Normal")] {
        assert_eq!(fake.int("pthread_mutexattr_settype", &[attribute, number]), 0);
        assert_eq!(fake.int("pthread_mutex_init", &[64, attribute]), 0);
        assert_eq!(fake.log.pop().unwrap(), format!("mutex 0x40 {name}"));
    }
    assert_eq!(fake.int("pthread_mutexattr_settype", &[attribute, 4]), EINVAL);
    let result = fake.object(4);
    fake.int("pthread_mutexattr_getpshared", &[attribute, result]);
    assert_eq!(fake.int_at(result), 1);
    assert_eq!(fake.int("pthread_mutexattr_setprotocol", &[attribute, 2]), 0);
    assert_eq!(fake.int("pthread_mutexattr_setrobust", &[attribute, 1]), 0);
    assert_eq!(fake.int("pthread_mutex_init", &[64, attribute]), 0);
    assert_eq!(fake.log.pop().unwrap(), "mutex 0x40 Normal, robust");
    fake.int("pthread_mutexattr_destroy", &[attribute]);
    assert_eq!(fake.violation("pthread_mutex_init", &[64, attribute]), Kind::Misuse);
}

#[test]
fn condition_variables() {
    let mut fake = Fake::lp64();
    let wait = fake.operation("pthread_cond_wait", &[128, 64]);
    assert_eq!(wait, Operation::CondWait { condition: 128, mutex: 64, patience: Patience::Forever });
    assert_eq!(fake.operation("pthread_cond_signal", &[128]), Operation::CondSignal { condition: 128 });
    assert_eq!(fake.operation("pthread_cond_broadcast", &[128]), Operation::CondBroadcast { condition: 128 });
    assert_eq!(fake.operation("pthread_cond_destroy", &[128]), Operation::CondDestroy { condition: 128 });
    assert_eq!(fake.int("pthread_cond_init", &[128, 0]), 0);
    assert_eq!(fake.log, ["condition 0x80"]);
    let (attribute, result) = (fake.object(4), fake.object(4));
    assert_eq!(fake.violation("pthread_cond_init", &[128, attribute]), Kind::Uninitialised);
    fake.int("pthread_condattr_init", &[attribute]);
    assert_eq!(fake.int("pthread_condattr_setclock", &[attribute, 1]), 0);
    assert_eq!(fake.int("pthread_condattr_setclock", &[attribute, 7]), EINVAL);
    fake.int("pthread_condattr_getclock", &[attribute, result]);
    assert_eq!(fake.int_at(result), 1);
    fake.int("pthread_condattr_getpshared", &[attribute, result]);
    assert_eq!(fake.int_at(result), 0);
}
