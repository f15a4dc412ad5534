//! Forgetting events: the store is compacted, and gives back memory.
use super::{AccessId, BOTTOM, Barrier, Event, EventId, NO_BUCKETS, NONE, Parent, Unfolding, hash_known};

impl Unfolding {
    /// Forgets every event that `keep` does not hold for, and gives the others new numbers: the result maps old to new.
    /// What is kept must be closed under predecessors. Kept events outside the configuration lose their `reversed`
    /// mark, since what their races gave may be among the forgotten.
    pub(crate) fn retain(&mut self, keep: &[bool]) -> Vec<Option<EventId>> {
        let spare = self.spare.take().unwrap_or_default();
        let mut old = std::mem::replace(self, *spare);
        let mut map: Vec<Option<EventId>> = vec![None; old.events.len()];
        let mut access_map: Vec<u32> = vec![NONE; old.accesses.len()];
        let new = |map: &[Option<EventId>], id: EventId| map[id.index()].expect("kept events have kept predecessors");
        for (index, mut event) in old.events.drain(..).enumerate() {
            if !keep[index] {
                continue;
            }
            let id = EventId(self.events.len() as u32);
            map[index] = Some(id);
            if let Some(&print) = old.prints.get(index) {
                self.set_print(id, print);
            }
            event.before = new(&map, event.before);
            event.reversed &= event.in_configuration;
            (event.first_choices, event.first_watcher, event.barrier) = (NONE, NONE, Barrier::NONE);
            let (start, len) = event.cone;
            event.cone.0 = self.cones.len() as u32;
            self.cones.extend_from_slice(&old.cones[start as usize..][..usize::from(len)]);
            let (start, len) = event.predecessors;
            event.predecessors.0 = self.predecessors.len() as u32;
            for &p in &old.predecessors[start as usize..][..usize::from(len)] {
                self.predecessors.push(new(&map, p));
            }
            let (start, len) = event.accesses;
            event.accesses.0 = self.accesses.len() as u32;
            for i in start..start + u32::from(len) {
                let mut access = old.accesses[i as usize].clone();
                access_map[i as usize] = self.accesses.len() as u32;
                access.event = id;
                access.first_buckets = NO_BUCKETS;
                let (first, count) = access.parents;
                access.parents.0 = self.parents.len() as u32;
                for &(parent, lanes) in &old.parents[first as usize..][..usize::from(count)] {
                    let parent = match parent {
                        Parent::Write(writer) => Parent::Write(AccessId(access_map[writer.0 as usize])),
                        Parent::Initial => Parent::Initial,
                    };
                    self.parents.push((parent, lanes));
                }
                self.accesses.push(access);
            }
            self.events.push(event);
            self.relink(id);
        }
        self.lookups = old.lookups;
        self.forgotten = old.forgotten + (keep.len() - self.events.len()) as u64;
        old.clear();
        self.spare = Some(Box::new(old));
        map
    }

    /// Bytes of all arenas.
    pub(crate) fn bytes(&self) -> usize {
        fn of<T>(arena: &Vec<T>) -> usize {
            arena.capacity() * size_of::<T>()
        }
        of(&self.events)
            + of(&self.prints)
            + of(&self.accesses)
            + of(&self.cones)
            + of(&self.predecessors)
            + of(&self.parents)
            + of(&self.followers)
            + of(&self.buckets)
            + of(&self.initial_buckets)
            + self.names.allocation_size()
            + self.spare.as_ref().map_or(0, |spare| spare.bytes())
    }

    /// Gives back the memory that is not in use.
    pub(crate) fn shrink(&mut self) {
        self.spare = None;
        self.events.shrink_to_fit();
        self.prints.shrink_to_fit();
        self.accesses.shrink_to_fit();
        self.cones.shrink_to_fit();
        self.predecessors.shrink_to_fit();
        self.parents.shrink_to_fit();
        self.followers.shrink_to_fit();
        self.buckets.shrink_to_fit();
        self.initial_buckets.shrink_to_fit();
        let Unfolding { names, events, predecessors, .. } = self;
        names.shrink_to_fit(|&id| hash_known(events, predecessors, id));
    }

    /// Empties all arenas but keeps their memory.
    fn clear(&mut self) {
        self.events.clear();
        self.prints.clear();
        self.accesses.clear();
        self.cones.clear();
        self.predecessors.clear();
        self.parents.clear();
        self.followers.clear();
        self.buckets.clear();
        self.initial_buckets.clear();
        self.names.clear();
    }

    /// Enters a kept event into all lists and the table of names.
    fn relink(&mut self, id: EventId) {
        if id != BOTTOM {
            let Event { thread, before, choice, .. } = *self.event(id);
            if choice {
                self.link_choice(id, thread, before);
            }
            for access in self.access_ids(id) {
                self.link_all(access, thread);
            }
            let Unfolding { names, events, predecessors, .. } = self;
            let hash = |&id: &u32| hash_known(events, predecessors, id);
            names.insert_unique(hash(&id.0), id.0, hash);
        }
    }
}
