//! Which events are in direct conflict: every write keeps lists of the accesses that come directly after it.
use super::{AccessId, Bucket, Event, EventAccess, EventId, Follower, NONE, Parent, Unfolding};
use crate::system::{Access, ThreadId};

impl Unfolding {
    /// Enters an access into the lists of its writers.
    pub(super) fn link_all(&mut self, access: AccessId, thread: ThreadId) {
        let EventAccess { parents: (start, len), access: Access { object, .. }, .. } = *self.access(access);
        for i in start..start + u32::from(len) {
            self.link(access, object.index(), thread, self.parents[i as usize]);
        }
    }

    /// Enters an access to an object into the list of one of its writers.
    pub(super) fn link(&mut self, access: AccessId, object: usize, thread: ThreadId, (parent, lanes): (Parent, u64)) {
        if parent == Parent::Initial && self.initial_buckets.len() <= object {
            self.initial_buckets.resize(object + 1, NONE);
        }
        let first = self.first_bucket(object, parent);
        let mut bucket = first;
        while bucket != NONE {
            let known = &self.buckets[bucket as usize];
            if known.thread == thread && known.lanes == lanes {
                break;
            }
            bucket = known.next;
        }
        if bucket == NONE {
            bucket = self.buckets.len() as u32;
            self.buckets.push(Bucket { thread, lanes, first_follower: NONE, next: first });
            match parent {
                Parent::Write(writer) => self.access_mut(writer).first_bucket = bucket,
                Parent::Initial => self.initial_buckets[object] = bucket,
            }
        }
        let entry = self.followers.len() as u32;
        let next = std::mem::replace(&mut self.buckets[bucket as usize].first_follower, entry);
        self.followers.push(Follower { access, next });
    }

    fn first_bucket(&self, object: usize, parent: Parent) -> u32 {
        match parent {
            Parent::Write(writer) => self.access(writer).first_bucket,
            Parent::Initial => self.initial_buckets[object],
        }
    }

    /// Appends every known event in direct conflict with `event`: the other choices after the same thread predecessor,
    /// and the dependent accesses that come after the same write and do not know one another.
    /// This contains #ⁱ(event) within U. An event may be named twice.
    pub(crate) fn conflicts(&self, event: EventId, found: &mut Vec<EventId>) {
        let own = self.event(event);
        let mut next = if own.choice { self.event(own.before).first_choice } else { NONE };
        while next != NONE {
            let other = self.event(EventId(next));
            if other.thread == own.thread && next != event.0 {
                found.push(EventId(next));
            }
            next = other.next_choice;
        }
        for id in self.access_ids(event) {
            self.followed_with(id, event, found);
        }
    }

    /// The conflicts that come from one access. An event that already has another event of the same thread at the same
    /// depth in its history is not in immediate conflict, whichever event that is, so that depths decide.
    fn followed_with(&self, id: AccessId, event: EventId, found: &mut Vec<EventId>) {
        let mine = self.access(id);
        let &Event { thread, depth, .. } = self.event(event);
        let cone = self.whole_cone(event);
        let (start, len) = mine.parents;
        for &(parent, lanes) in &self.parents[start as usize..][..usize::from(len)] {
            let mut next_bucket = self.first_bucket(mine.access.object.index(), parent);
            while next_bucket != NONE {
                let bucket = &self.buckets[next_bucket as usize];
                next_bucket = bucket.next;
                if bucket.thread == thread || bucket.lanes & lanes == 0 {
                    continue;
                }
                // How many events of the followers' thread the event knows.
                let known = cone.get(bucket.thread.index()).copied().unwrap_or(0);
                let mut next = bucket.first_follower;
                while next != NONE {
                    let follower = &self.followers[next as usize];
                    next = follower.next;
                    let other = self.access(follower.access);
                    if self.event(other.event).depth > known
                        && mine.access.depends(&other.access)
                        && self.cone(other.event, thread) < depth
                    {
                        found.push(other.event);
                    }
                }
            }
        }
    }
}
