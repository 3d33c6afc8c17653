//! The rows as a table of Markdown, or as lines of JSON.

use serde_json::{Map, Value};

use crate::row::{Figure, Goal, Row};

/// A table in which every goal that was missed says so.
pub(crate) fn markdown(rows: &[Row]) -> String {
    let mut table =
        String::from("| what | ours | floor | ratio | goal | met |\n|---|---|---|---|---|---|\n");
    for row in rows {
        let floor = row.floor.map(figure).unwrap_or_default();
        let ratio = row.ratio.map(times).unwrap_or_default();
        let cells = [
            row.what.clone(),
            figure(row.ours),
            floor,
            ratio,
            goal(row.goal),
            met(row).to_owned(),
        ];
        table.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    table
}

/// One object a row; times in seconds, sizes in bytes.
pub(crate) fn json(rows: &[Row]) -> String {
    rows.iter()
        .map(|row| format!("{}\n", object(row)))
        .collect()
}

fn object(row: &Row) -> Value {
    let unit = match row.ours {
        Figure::Seconds(_) => "seconds",
        Figure::Bytes(_) => "bytes",
    };
    let mut object = Map::new();
    object.insert("what".into(), row.what.clone().into());
    object.insert("unit".into(), unit.into());
    object.insert("ours".into(), row.ours.number().into());
    object.insert("floor".into(), row.floor.map(Figure::number).into());
    object.insert("ratio".into(), row.ratio.into());
    object.insert("goal".into(), row.goal.most.map(Figure::number).into());
    object.insert("goal_ratio".into(), row.goal.times.into());
    object.insert("met".into(), row.is_met().into());
    Value::Object(object)
}

fn met(row: &Row) -> &'static str {
    match row.is_met() {
        Some(true) => "yes",
        Some(false) => "**no**",
        None => "",
    }
}

fn goal(goal: Goal) -> String {
    let most = goal.most.map(figure);
    let times = goal.times.map(times);
    let parts: Vec<String> = most.into_iter().chain(times).collect();
    match parts.is_empty() {
        true => String::new(),
        false => format!("≤ {}", parts.join(", ")),
    }
}

fn times(ratio: f64) -> String {
    format!("{ratio:.2}×")
}

fn figure(figure: Figure) -> String {
    match figure {
        Figure::Seconds(seconds) if seconds < 1e-6 => format!("{:.0} ns", seconds * 1e9),
        Figure::Seconds(seconds) if seconds < 1e-3 => format!("{:.2} µs", seconds * 1e6),
        Figure::Seconds(seconds) => format!("{:.2} ms", seconds * 1e3),
        Figure::Bytes(bytes) if bytes < 1024.0 => format!("{bytes:.0} B"),
        Figure::Bytes(bytes) if bytes < 1048576.0 => format!("{:.1} KiB", bytes / 1024.0),
        Figure::Bytes(bytes) => format!("{:.1} MiB", bytes / 1048576.0),
    }
}
