//! A ledger against the plainest memory there is: a list in the order of observation.

use std::collections::HashMap;

use dsh_fs_policy::*;
use proptest::prelude::*;

const SEED: Seed = Seed { low: 3, high: 4 };

#[derive(Debug, Clone)]
enum Step {
    Observe(u8, Option<String>),
    Forget(u8),
    Fork,
    Travel,
}

/// What a ledger of this capacity knows, written for reading and not for speed.
#[derive(Clone)]
struct Model {
    capacity: usize,
    order: Vec<u8>,
    seen: HashMap<u8, Option<String>>,
    forgotten: u64,
}

impl Model {
    fn observe(&mut self, key: u8, seen: Option<String>) {
        self.forget(key);
        if self.order.len() == self.capacity {
            let oldest = self.order.remove(0);
            self.seen.remove(&oldest);
            self.forgotten += 1;
        }
        self.order.push(key);
        self.seen.insert(key, seen);
    }

    fn forget(&mut self, key: u8) {
        self.order.retain(|other| *other != key);
        self.seen.remove(&key);
    }

    fn prior_of(&self, key: u8) -> Prior<'_> {
        match self.seen.get(&key) {
            None => Prior::Unseen,
            Some(None) => Prior::Absent,
            Some(Some(version)) => Prior::Present(version),
        }
    }
}

fn step() -> impl Strategy<Value = Step> {
    let version = prop_oneof!["[a-z]{0,30}", "\\PC{0,12}", "[\\\\\n=-]{0,9}"];
    prop_oneof![
        12 => (any::<u8>(), proptest::option::weighted(0.8, version))
            .prop_map(|(key, seen)| Step::Observe(key, seen)),
        3 => any::<u8>().prop_map(Step::Forget),
        1 => Just(Step::Fork),
        1 => Just(Step::Travel),
    ]
}

fn key(key: u8) -> String {
    format!("/project/{key}")
}

fn travelled(ledger: &Ledger, capacity: u32) -> Ledger {
    let mut other = Ledger::new(Seed { low: 0, high: 0 }, capacity);
    for page in (0..).map_while(|page| ledger.snapshot(page)) {
        other
            .restore(&page)
            .expect("a page of a snapshot is taken in");
    }
    other
}

proptest! {
    #[test]
    fn a_ledger_is_a_list_of_observations(
        capacity in 1_u32..300,
        steps in proptest::collection::vec(step(), 0..600),
    ) {
        let mut ledger = Ledger::new(SEED, capacity);
        let mut model = Model {
            capacity: capacity as usize,
            order: Vec::new(),
            seen: HashMap::new(),
            forgotten: 0,
        };
        let mut left_behind = None;
        for step in steps {
            match step {
                Step::Observe(target, seen) => {
                    let prior = seen.as_deref().map_or(Prior::Absent, Prior::Present);
                    ledger.observe(&key(target), prior);
                    model.observe(target, seen);
                }
                Step::Forget(target) => {
                    ledger.observe(&key(target), Prior::Unseen);
                    model.forget(target);
                }
                Step::Fork => {
                    let fork = ledger.fork();
                    left_behind = Some((std::mem::replace(&mut ledger, fork), model.clone()));
                }
                Step::Travel => {
                    ledger = travelled(&ledger, capacity);
                    model.forgotten = 0;
                }
            }
        }
        for (ledger, model) in left_behind.iter().chain([&(ledger, model)]) {
            for target in 0..=u8::MAX {
                prop_assert_eq!(ledger.prior_of(&key(target)), model.prior_of(target));
            }
            prop_assert_eq!(ledger.fill(), Fill {
                targets: model.order.len() as u32,
                capacity,
                forgotten: model.forgotten,
            });
        }
    }

    #[test]
    fn hostile_pages_are_refused_or_taken_in(text in "(dsh-fs-ledger 1 )?[0-9a-f \n=\\\\-]{0,200}\\PC{0,5}") {
        let mut ledger = Ledger::new(SEED, 10);
        let _ = ledger.restore(&text);
    }

    #[test]
    fn one_changed_byte_never_breaks_more_than_the_page(at in 0_usize..400, byte in 0_u8..128) {
        let mut ledger = Ledger::new(SEED, 10);
        for n in 0..8 {
            ledger.observe(&key(n), Prior::Present("a\\b\nc"));
        }
        let mut page = ledger.snapshot(0).expect("a page").into_bytes();
        let at = at % page.len();
        page[at] = byte;
        let page = String::from_utf8(page).expect("ASCII");
        let mut other = Ledger::new(SEED, 10);
        if other.restore(&page).is_err() {
            prop_assert_eq!(other.fill().targets, 0);
        }
    }
}
