//! Which keys are asked about. The benchmark shares this file, so that what it measures
//! natively are the same keys in the same order.

/// Rounds over numbered targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rounds {
    /// How many.
    pub(crate) times: u64,
    /// The step of the first round.
    pub(crate) from: u64,
    /// By how much a round moves on.
    pub(crate) stride: u64,
    /// How many different targets there are.
    pub(crate) targets: u64,
    /// How far apart their numbers are.
    pub(crate) spread: u64,
}

impl Rounds {
    /// Five numbers with spaces between them.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let mut numbers = text.split(' ').map(str::parse::<u64>);
        let mut next = || numbers.next()?.ok();
        Some(Self {
            times: next()?,
            from: next()?,
            stride: next()?,
            targets: next()?,
            spread: next()?,
        })
    }

    /// The numbers of the targets, in order.
    pub(crate) fn numbers(self) -> impl Iterator<Item = u64> {
        let at = move |round| (self.from + round * self.stride) % self.targets * self.spread;
        (0..self.times).map(at)
    }
}

/// A key of 60 bytes whose number can be changed in place, at the cost of a few moves.
pub(crate) struct Key(String);

impl Key {
    /// The key of target 0.
    pub(crate) fn new() -> Self {
        let mut text = String::from("/home/somebody/project/src/of/some/component/fil");
        text.push_str("00000000.txt");
        Self(text)
    }

    /// The key of a target.
    pub(crate) fn of(&mut self, number: u64) -> &str {
        let digits: [u8; 8] = core::array::from_fn(|place| {
            let four = (number >> (28 - 4 * place)) & 15;
            b"0123456789abcdef"[four as usize]
        });
        let digits = core::str::from_utf8(&digits).expect("digits are ASCII");
        self.0.replace_range(48..56, digits);
        &self.0
    }
}
