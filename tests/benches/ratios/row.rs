//! One line of the table: what was measured, and whether it is good enough.

use crate::pair::Pair;

/// A measured quantity.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Figure {
    /// Time.
    Seconds(f64),
    /// Memory or size.
    Bytes(f64),
}

/// What is to be reached. More than one limit may be set; each must hold.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Goal {
    /// The most that ours may be.
    pub(crate) most: Option<Figure>,
    /// The most times the floor.
    pub(crate) times: Option<f64>,
}

/// One line of the table.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// In words.
    pub(crate) what: String,
    /// With the guard.
    pub(crate) ours: Figure,
    /// The floor, where there is one.
    pub(crate) floor: Option<Figure>,
    /// Ours over the floor.
    pub(crate) ratio: Option<f64>,
    /// What is to be reached; empty where a row is for orientation.
    pub(crate) goal: Goal,
}

impl Figure {
    /// The bare number, in seconds or bytes.
    pub(crate) fn number(self) -> f64 {
        match self {
            Self::Seconds(number) | Self::Bytes(number) => number,
        }
    }
}

impl Goal {
    /// At most so many times the floor.
    pub(crate) fn times(times: f64) -> Self {
        Self {
            most: None,
            times: Some(times),
        }
    }

    /// At most so much.
    pub(crate) fn most(most: Figure) -> Self {
        Self {
            most: Some(most),
            times: None,
        }
    }

    /// Both.
    pub(crate) fn both(most: Figure, times: f64) -> Self {
        Self {
            most: Some(most),
            times: Some(times),
        }
    }
}

impl Row {
    /// A row of times that were measured in turns.
    pub(crate) fn pair(what: impl Into<String>, pair: Pair, goal: Goal) -> Self {
        Self {
            what: what.into(),
            ours: Figure::Seconds(pair.ours),
            floor: Some(Figure::Seconds(pair.floor)),
            ratio: Some(pair.ratio),
            goal,
        }
    }

    /// A row without a floor.
    pub(crate) fn alone(what: impl Into<String>, ours: Figure, goal: Goal) -> Self {
        Self {
            what: what.into(),
            ours,
            floor: None,
            ratio: None,
            goal,
        }
    }

    /// Whether every limit of the goal holds; `None` where there is none.
    pub(crate) fn is_met(&self) -> Option<bool> {
        let most = self
            .goal
            .most
            .map(|most| self.ours.number() <= most.number());
        let times = match (self.goal.times, self.ratio) {
            (Some(times), Some(ratio)) => Some(ratio <= times),
            _ => None,
        };
        match (most, times) {
            (Some(most), Some(times)) => Some(most && times),
            (most, times) => most.or(times),
        }
    }
}

/// The middle of some numbers.
pub(crate) fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
