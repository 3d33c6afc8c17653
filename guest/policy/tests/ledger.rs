//! The promises of a ledger, one by one.

use dsh_fs_policy::*;

const SEED: Seed = Seed { low: 1, high: 2 };

fn ledger(capacity: u32) -> Ledger {
    Ledger::new(SEED, capacity)
}

fn pages(ledger: &Ledger) -> Vec<String> {
    (0..).map_while(|page| ledger.snapshot(page)).collect()
}

/// [observe-last-wins]
#[test]
fn the_newest_observation_counts() {
    let mut ledger = ledger(0);
    ledger.observe("t", Prior::Present("v1"));
    assert_eq!(ledger.write_intent("t"), WriteGuard::ReplaceIfVersion("v1"));
    ledger.observe("t", Prior::Absent);
    assert_eq!(ledger.write_intent("t"), WriteGuard::CreateIfAbsent);
    assert_eq!(ledger.edit_intent("t"), Err(EditRefusal::Absent));
    ledger.observe("t", Prior::Present("v3"));
    assert_eq!(ledger.edit_intent("t"), Ok(EditGuard("v3")));
    ledger.observe("t", Prior::Unseen);
    assert_eq!(ledger.edit_intent("t"), Err(EditRefusal::NotObserved));
    assert_eq!(ledger.fill().targets, 0);
}

/// [observe-targets-isolated]
#[test]
fn targets_are_apart() {
    let mut ledger = ledger(0);
    ledger.observe("t", Prior::Present("v1"));
    assert_eq!(ledger.prior_of("u"), Prior::Unseen);
    assert_eq!(ledger.prior_of("t"), Prior::Present("v1"));
}

/// Fails when `Index::find` trusts the eight bits in a slot and compares no hash.
#[test]
fn many_targets_are_apart() {
    let mut ledger = ledger(0);
    for n in 0..20_000 {
        ledger.observe(&n.to_string(), Prior::Present(&n.to_string()));
    }
    for n in 0..20_000 {
        assert_eq!(
            ledger.prior_of(&n.to_string()),
            Prior::Present(&n.to_string())
        );
        assert_eq!(ledger.prior_of(&format!("other {n}")), Prior::Unseen);
    }
}

#[test]
fn versions_of_every_length_come_back() {
    let mut ledger = ledger(0);
    let versions: Vec<String> = (0..80).map(|n| "x".repeat(n)).collect();
    let odd = ["é".repeat(12), "é".repeat(11), "\u{10ffff}".repeat(6)];
    let all = || versions.iter().chain(&odd).enumerate();
    for (n, version) in all() {
        ledger.observe(&n.to_string(), Prior::Present(version));
    }
    for (n, version) in all() {
        assert_eq!(ledger.prior_of(&n.to_string()), Prior::Present(version));
    }
}

#[test]
fn a_long_version_gives_way_to_a_short_one_and_to_none() {
    let mut ledger = ledger(0);
    let long = "long ".repeat(20);
    ledger.observe("t", Prior::Present(&long));
    ledger.observe("t", Prior::Present("v"));
    assert_eq!(ledger.prior_of("t"), Prior::Present("v"));
    ledger.observe("t", Prior::Present(&long));
    ledger.observe("t", Prior::Absent);
    assert_eq!(ledger.prior_of("t"), Prior::Absent);
    ledger.observe("t", Prior::Present(&long));
    assert_eq!(ledger.prior_of("t"), Prior::Present(&long));
}

/// Fails when `admit` does not remove the oldest, and when `record` does not refresh.
/// [observed-map-unbounded]
#[test]
fn a_full_ledger_forgets_the_oldest_observation() {
    let mut ledger = ledger(2);
    ledger.observe("a", Prior::Present("1"));
    ledger.observe("b", Prior::Present("1"));
    ledger.observe("a", Prior::Present("2"));
    ledger.observe("c", Prior::Present("1"));
    assert_eq!(ledger.prior_of("b"), Prior::Unseen);
    assert_eq!(ledger.prior_of("a"), Prior::Present("2"));
    assert_eq!(ledger.prior_of("c"), Prior::Present("1"));
    let fill = Fill {
        targets: 2,
        capacity: 2,
        forgotten: 1,
    };
    assert_eq!(ledger.fill(), fill);
}

#[test]
fn capacities_have_bounds() {
    assert_eq!(ledger(0).fill().capacity, DEFAULT_CAPACITY);
    assert_eq!(ledger(u32::MAX).fill().capacity, LARGEST_CAPACITY);
}

#[test]
fn a_fork_goes_its_own_way() {
    let mut parent = ledger(0);
    parent.observe("t", Prior::Present("v1"));
    let mut child = parent.fork();
    assert_eq!(child.prior_of("t"), Prior::Present("v1"));
    child.observe("t", Prior::Absent);
    child.observe("u", Prior::Absent);
    parent.observe("w", Prior::Absent);
    assert_eq!(parent.prior_of("t"), Prior::Present("v1"));
    assert_eq!(parent.prior_of("u"), Prior::Unseen);
    assert_eq!(child.prior_of("w"), Prior::Unseen);
}

#[test]
fn an_empty_ledger_has_no_page() {
    assert_eq!(ledger(0).snapshot(0), None);
}

#[test]
fn pages_are_small_and_can_be_asked_for_in_any_order() {
    let mut ledger = ledger(0);
    for n in 0..5000 {
        ledger.observe(&n.to_string(), Prior::Present("0123456789abcdef01234567"));
    }
    let pages = pages(&ledger);
    assert!(pages.len() > 3);
    assert!(pages.iter().all(|page| page.len() <= PAGE_BYTES));
    for (number, page) in pages.iter().enumerate().rev() {
        assert_eq!(ledger.snapshot(number as u32).as_ref(), Some(page));
    }
    assert_eq!(ledger.snapshot(u32::MAX), None);
}

/// The end of a memory is saved after each call: it must not cost a walk over what comes
/// before it. Fails without the `follow` of `unlink`, and where `first_of` always begins at
/// the oldest target: then the page begins later, since the pages before it are filled anew.
#[test]
fn a_page_that_was_asked_for_begins_where_it_began() {
    let mut ledger = ledger(0);
    for n in 0..5000 {
        ledger.observe(&n.to_string(), Prior::Present("v"));
    }
    let all = pages(&ledger);
    let last = u32::try_from(all.len() - 1).expect("few pages");
    let first_line = |page: &str| page.lines().nth(1).map(str::to_owned);
    for n in ["0", "1", "2"] {
        ledger.observe(n, Prior::Absent);
        let end = ledger.snapshot(last).expect("it is still there");
        assert_eq!(first_line(&end), first_line(&all[last as usize]));
        let mut other = Ledger::new(Seed { low: 0, high: 0 }, 0);
        other.restore(&end).expect("a page");
        assert_eq!(other.prior_of(n), Prior::Absent, "what is new is in it");
        assert_eq!(ledger.snapshot(last + 1), None);
    }
    // The one at which it begins goes to its end.
    let begins = 5000 - (all[last as usize].lines().count() - 1);
    ledger.observe(&begins.to_string(), Prior::Absent);
    let end = ledger.snapshot(last).expect("it is still there");
    let second_line = all[last as usize].lines().nth(2);
    assert_eq!(first_line(&end).as_deref(), second_line);
}

/// Fails where an earlier snapshot says where the next page begins.
#[test]
fn an_observation_between_two_pages_misleads_no_page() {
    let mut ledger = ledger(0);
    for n in 0..5000 {
        ledger.observe(&n.to_string(), Prior::Absent);
    }
    let first = ledger.snapshot(0).expect("a page");
    let first_of_second = first.lines().count() - 1;
    ledger.observe(&first_of_second.to_string(), Prior::Absent);
    let second = ledger.snapshot(1);
    assert_eq!(pages(&ledger).get(1), second.as_ref());
}

#[test]
fn a_version_longer_than_a_page_travels() {
    let mut ledger = ledger(0);
    let giant = "\\\n".repeat(PAGE_BYTES);
    ledger.observe("a", Prior::Present(&giant));
    ledger.observe("b", Prior::Absent);
    let mut other = Ledger::new(Seed { low: 0, high: 0 }, 0);
    for page in pages(&ledger) {
        other.restore(&page).expect("a page of a snapshot");
    }
    assert_eq!(other.prior_of("a"), Prior::Present(&giant));
    assert_eq!(other.prior_of("b"), Prior::Absent);
}

/// Observation order travels too: what was oldest before is the first to go after.
#[test]
fn a_restored_ledger_forgets_in_the_same_order() {
    let mut ledger = ledger(3);
    for key in ["a", "b", "c", "a"] {
        ledger.observe(key, Prior::Present("v"));
    }
    let mut other = Ledger::new(SEED, 3);
    other
        .restore(&ledger.snapshot(0).expect("a page"))
        .expect("taken in");
    other.observe("d", Prior::Absent);
    assert_eq!(other.prior_of("b"), Prior::Unseen);
    assert_eq!(other.prior_of("a"), Prior::Present("v"));
}

/// Fails without the comparison of seeds in `adopt`.
#[test]
fn another_seed_is_adopted_only_by_an_empty_ledger() {
    let mut ledger = ledger(0);
    ledger.observe("t", Prior::Present("v1"));
    let page = ledger.snapshot(0).expect("a page");
    let mut other = Ledger::new(Seed { low: 8, high: 9 }, 0);
    other.observe("u", Prior::Present("v1"));
    assert_eq!(other.restore(&page), Err(PageRefusal::OtherSeed));
    assert_eq!(other.prior_of("u"), Prior::Present("v1"));
    other.observe("u", Prior::Unseen);
    assert_eq!(other.restore(&page), Ok(()));
    assert_eq!(other.prior_of("t"), Prior::Present("v1"));
}

/// Fails when a check of `page::read` is removed: each row is a page with one fault.
#[test]
fn a_damaged_page_is_refused_as_a_whole() {
    let mut ledger = ledger(0);
    ledger.observe("t", Prior::Present("a\\b"));
    ledger.observe("u", Prior::Absent);
    let page = ledger.snapshot(0).expect("a page");
    let last_line = page.trim_end().rfind('\n').expect("lines") + 1;
    let rows = [
        (String::new(), PageRefusal::NotAPage),
        (page[1..].to_owned(), PageRefusal::NotAPage),
        (page.replacen(" 1 ", " 2 ", 1), PageRefusal::OtherFormat),
        (page.replacen('\n', " 0\n", 1), PageRefusal::BrokenHeader),
        (
            page.replacen("00000002\n", "00000003\n", 1),
            PageRefusal::WrongCount,
        ),
        (
            page.replacen("00000002\n", "2\n", 1),
            PageRefusal::BrokenHeader,
        ),
        (
            page.replacen("00000002\n", "+0000002\n", 1),
            PageRefusal::BrokenHeader,
        ),
        (page[..last_line].to_owned(), PageRefusal::WrongCount),
        (page.trim_end().to_owned(), PageRefusal::BrokenLine),
        (format!("{page}\n"), PageRefusal::BrokenLine),
        (page.replace("a\\b", "ab"), PageRefusal::BrokenLine),
        (page.replace("a\\b", "a\\bc"), PageRefusal::BrokenLine),
        (page.replace("a\\b", "a\\é"), PageRefusal::BrokenLine),
        (
            page.replace("=00000003", "=ffffffff"),
            PageRefusal::BrokenLine,
        ),
        (page.replace("-\n", "-v\n"), PageRefusal::BrokenLine),
        (page.replace("-\n", "\n"), PageRefusal::BrokenLine),
        (page.replace('=', "é"), PageRefusal::BrokenLine),
        (page.replacen("\n", "\nÉ", 1), PageRefusal::BrokenLine),
    ];
    for (damaged, refusal) in rows {
        let mut other = Ledger::new(SEED, 0);
        assert_eq!(other.restore(&damaged), Err(refusal), "{damaged:?}");
        assert_eq!(other.fill().targets, 0, "{damaged:?}");
    }
}
