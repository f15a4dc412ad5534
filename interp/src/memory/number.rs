//! Uses of the numbers of addresses that depend on the layout of memory.
//!
//! A number is taken for an address if it lies in an object, dead or alive, or at its end, or in code. Addresses are
//! far from small numbers and from pairs of such (see the module `space`), so that hardly any other number does.
use super::object::Life;
use super::{CodeAddress, Memory};
use frontend::ir::AddressUse;
use std::collections::BTreeSet;

/// Whatever the layout, no object lies so near to 0.
const NEAR_NULL: u64 = 4096;

/// Every function begins at a multiple of this.
const CODE_ALIGN: u64 = 16;

/// How many bytes are looked through for addresses at once.
const MOST_BYTES: u64 = 1 << 16;

/// What a number points to.
#[derive(Clone, Copy)]
struct Target {
    /// Its first address.
    base: u64,
    size: u64,
    /// A power of two of which the first address is a multiple in every layout.
    align: u64,
}

impl Target {
    /// Whether the first of these addresses is the end of this object, and may thus be the beginning of another one.
    fn ends_at(self, address: u64) -> bool {
        self.size > 0 && self.base + self.size == address
    }
}

impl Memory {
    /// Looks at a use of two numbers: whether what comes of it depends on the layout. Never undone.
    #[inline]
    pub(crate) fn use_address(&mut self, what: AddressUse, a: u64, b: u64) {
        // Most pointers that are compared lie side by side.
        let together = matches!(what, AddressUse::Order | AddressUse::Equality | AddressUse::Difference)
            && self.space.share_slot(a, b);
        if !together && !self.layout_matters {
            self.layout_matters = self.depends_on_layout(what, a, b);
        }
        if !together && matches!(what, AddressUse::Equality | AddressUse::Order) {
            self.note_dead([a, b]);
        }
    }

    /// Whether anything could be noted of such a use, in whatever state objects are.
    pub(crate) fn may_matter(&self, what: AddressUse, a: u64, b: u64) -> bool {
        let together = matches!(what, AddressUse::Order | AddressUse::Equality | AddressUse::Difference)
            && self.space.share_slot(a, b);
        let compares = matches!(what, AddressUse::Equality | AddressUse::Order);
        !together && (compares && self.is_address(a) && self.is_address(b) || self.depends_on_layout(what, a, b))
    }

    /// Whether a number is an address, perhaps with a tag above, of an object that may have died.
    pub(crate) fn is_address(&self, number: u64) -> bool {
        self.space.object(number & u64::MAX >> 16) != 0
    }

    /// Whether these bytes of memory, or some of them, are a part of an address.
    pub(crate) fn has_address(&self, begin: u64, bytes: u64) -> bool {
        let word = u64::from(64 - self.space.mask.leading_zeros()) / 8;
        let end = begin.saturating_add(bytes).min(begin.saturating_add(MOST_BYTES));
        let mut words = (begin & !(word - 1)..end).step_by(word as usize).map(|place| self.peek(place, word));
        words.any(|number| self.target(number).is_some())
    }

    /// Notes which of these addresses, that are found to be different, are of objects that have died. They may have
    /// tags above.
    fn note_dead(&mut self, addresses: [u64; 2]) {
        let addresses = addresses.map(|address| address & u64::MAX >> 16);
        let objects = addresses.map(|address| self.space.object(address) as usize);
        if objects.contains(&0) {
            return;
        }
        for (address, object) in addresses.into_iter().zip(objects) {
            if self.objects[object].header.life == Life::Dead {
                self.dead_compared.insert(address);
            }
        }
    }

    /// Whether there are such addresses that were not reported yet.
    pub(crate) fn has_compared_dead(&self) -> bool {
        !self.dead_compared.is_empty()
    }

    /// Those addresses; forgets them.
    pub(crate) fn take_dead_compared(&mut self) -> BTreeSet<u64> {
        std::mem::take(&mut self.dead_compared)
    }

    fn depends_on_layout(&self, what: AddressUse, a: u64, b: u64) -> bool {
        let (to_a, to_b) = (self.target(a), self.target(b));
        match (what, to_a, to_b) {
            (AddressUse::Bytes, ..) => self.has_address(a, b),
            (_, None, None) => false,
            (AddressUse::Whole, ..) => true,
            (AddressUse::Mask, Some(target), _) => !target.agrees_on(b, self.space.address_bits()),
            (AddressUse::Mask, None, Some(_)) => false,
            (AddressUse::Order, Some(_), None) if self.is_no_address(b) => false,
            (AddressUse::Order, None, Some(_)) if self.is_no_address(a) => false,
            (AddressUse::Order, ..) => !self.same_slots(a, b),
            (AddressUse::Difference, Some(one), Some(other)) => one.base != other.base,
            (AddressUse::Equality, Some(one), Some(other)) => {
                one.ends_at(a) && b == other.base || other.ends_at(b) && a == one.base
            }
            (AddressUse::Equality, ..) => false,
            // With one of them one gets the other back.
            (AddressUse::ExclusiveOr, Some(_), Some(_)) => false,
            (AddressUse::Sum | AddressUse::Or, Some(_), Some(_)) => true,
            (_, Some(target), None) => self.leaves(what, target, b, combination(what, a, b)),
            (_, None, Some(target)) => self.leaves(what, target, a, combination(what, a, b)),
        }
    }

    /// Whether an address, combined with another number, gives something else than an address of the same object, or
    /// that address with something in bits that addresses do not have.
    fn leaves(&self, what: AddressUse, target: Target, other: u64, result: u64) -> bool {
        let same = |found: Target| found.base == target.base;
        let marks = other << (64 - self.space.address_bits()) == 0 && what != AddressUse::Difference;
        let gives_back = what == AddressUse::ExclusiveOr && (result == 0 || self.target(result).is_some());
        !marks && !gives_back && !self.target(result).is_some_and(same)
    }

    /// Whether two addresses are in the slots of one object, or in one function.
    fn same_slots(&self, a: u64, b: u64) -> bool {
        match (self.space.object(a), self.space.object(b)) {
            (0, 0) => self.target(a).zip(self.target(b)).is_some_and(|(one, other)| one.base == other.base),
            (one, other) => one == other,
        }
    }

    /// Whether a number is none of an object in any layout.
    fn is_no_address(&self, number: u64) -> bool {
        let bits = self.space.address_bits();
        number < NEAR_NULL || number >> bits != 0 || number > (1 << bits) - NEAR_NULL
    }

    /// What a number points to, if it is an address.
    fn target(&self, number: u64) -> Option<Target> {
        let object = self.space.object(number) as usize;
        if object == 0 {
            let function = match self.code.decode(number)? {
                CodeAddress::Function(function) | CodeAddress::Label(function, _) => function,
            };
            return Some(Target { base: self.code.function(function), size: 0, align: CODE_ALIGN });
        }
        let header = &self.objects[object].header;
        let inside = number.wrapping_sub(header.base) <= header.size;
        inside.then_some(Target { base: header.base, size: header.size, align: header.align() })
    }
}

impl Target {
    /// Whether "and" with that mask gives the same in all layouts but for the address that remains of it: the mask
    /// takes out, or leaves, bits that are settled by the alignment, or that no address has.
    fn agrees_on(self, mask: u64, address_bits: u32) -> bool {
        let settled = |bits: u64| bits & ((1 << address_bits) - 1) & !(self.align - 1) == 0;
        settled(mask) || settled(!mask)
    }
}

fn combination(what: AddressUse, a: u64, b: u64) -> u64 {
    match what {
        AddressUse::Sum => a.wrapping_add(b),
        AddressUse::Difference => a.wrapping_sub(b),
        AddressUse::ExclusiveOr => a ^ b,
        _ => a | b,
    }
}
