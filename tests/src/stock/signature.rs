//! The plain functions of the WIT package: where they are, and what they take.

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::wave;

/// A function.
pub(super) struct Signature {
    /// Its name alone, which is how `--invoke` finds it.
    name: &'static str,
    /// The file of compiled code that it is in.
    pub(super) component: &'static str,
    takes: &'static [(&'static str, Type)],
    /// Whether it answers a result.
    pub(super) refuses: bool,
}

/// A type of WIT, as far as JSON does not say it.
pub(super) enum Type {
    /// A string.
    Text,
    /// A number or a boolean, which are spelled alike.
    Plain,
    /// A case of an enum, or of a variant whose payload is a string.
    Case,
    /// An option.
    Maybe(&'static Type),
    /// A list.
    Many(&'static Type),
    /// A record.
    Record(&'static [(&'static str, Type)]),
}

use Type::{Case, Many, Maybe, Plain, Record, Text};

const GATE: &str = "gate.cwasm";
const TEXTS: &str = "texts.cwasm";

const TARGET: Type = Record(&[("key", Text), ("display-path", Text)]);
const MODE_EVENT: Type = Record(&[("mode", Case), ("source", Case)]);
const INPUTS: Type = Record(&[
    ("approved", Maybe(&Case)),
    ("session-mode", Maybe(&Case)),
    ("default-mode", Case),
    ("session-cwd", Maybe(&Text)),
    ("configured-root", Text),
    ("session-id", Maybe(&Text)),
]);
const CIRCUMSTANCES: Type = Record(&[
    ("effective", Case),
    ("confined", Plain),
    ("approver", Plain),
    ("owner", Plain),
]);
const POLICY: Type = Record(&[
    ("mode", Case),
    ("workspace-root", Text),
    ("session-id", Maybe(&Text)),
]);
const EDIT: Type = Record(&[
    ("old-text", Text),
    ("new-text", Text),
    ("replace-all", Plain),
]);
const WINDOW: Type = Record(&[
    ("first-line", Plain),
    ("first-column", Plain),
    ("max-lines", Plain),
    ("max-bytes", Plain),
    ("max-line-chars", Plain),
]);

const fn of(
    component: &'static str,
    name: &'static str,
    takes: &'static [(&'static str, Type)],
    refuses: bool,
) -> Signature {
    Signature {
        name,
        component,
        takes,
        refuses,
    }
}

/// The functions, by the names of the protocol.
const FUNCTIONS: [(&str, Signature); 11] = [
    (
        "observation.decide-write",
        of(GATE, "decide-write", &[("prior", Case)], false),
    ),
    (
        "observation.decide-edit",
        of(
            GATE,
            "decide-edit",
            &[("target", TARGET), ("prior", Case)],
            true,
        ),
    ),
    (
        "observation.with-remedy",
        of(
            GATE,
            "with-remedy",
            &[("code", Case), ("message", Text)],
            false,
        ),
    ),
    (
        "sandbox.resolve-policy",
        of(GATE, "resolve-policy", &[("inputs", INPUTS)], false),
    ),
    (
        "sandbox.fold-mode-events",
        of(
            GATE,
            "fold-mode-events",
            &[("events", Many(&MODE_EVENT))],
            false,
        ),
    ),
    (
        "sandbox.check-escalation",
        of(
            GATE,
            "check-escalation",
            &[("requested", Maybe(&Text)), ("justification", Maybe(&Text))],
            true,
        ),
    ),
    (
        "sandbox.judge-escalation",
        of(
            GATE,
            "judge-escalation",
            &[("requested", Case), ("circumstances", CIRCUMSTANCES)],
            true,
        ),
    ),
    (
        "sandbox.escalation-refused",
        of(
            GATE,
            "escalation-refused",
            &[("requested", Case), ("refusal", Case)],
            false,
        ),
    ),
    (
        "sandbox.describe-policy",
        of(GATE, "describe-policy", &[("policy", POLICY)], false),
    ),
    (
        "text.apply-edit",
        of(
            TEXTS,
            "apply-edit",
            &[("content", Text), ("edit", EDIT)],
            true,
        ),
    ),
    (
        "text.show",
        of(
            TEXTS,
            "show",
            &[("content", Text), ("version", Text), ("window", WINDOW)],
            false,
        ),
    ),
];

impl Signature {
    /// The function of this name.
    pub(super) fn of(name: &str) -> Option<Self> {
        let mut all = FUNCTIONS.into_iter();
        all.find(|(known, _)| *known == name)
            .map(|(_, found)| found)
    }

    /// A call of it, as `--invoke` takes it.
    pub(super) fn call(&self, args: &Value) -> Result<String> {
        let arguments = self
            .takes
            .iter()
            .map(|(field, kind)| written(&args[field], kind).with_context(|| (*field).to_owned()));
        let arguments = arguments.collect::<Result<Vec<_>>>()?;
        Ok(format!("{}({})", self.name, arguments.join(", ")))
    }
}

fn written(value: &Value, kind: &Type) -> Result<String> {
    Ok(match (kind, value) {
        (Maybe(_), Value::Null) => "none".to_owned(),
        (Maybe(inner), value) => format!("some({})", written(value, inner)?),
        (Text, Value::String(text)) => wave::text(text),
        (Plain, Value::Number(_) | Value::Bool(_)) => value.to_string(),
        (Case, Value::String(name)) => name.clone(),
        (Case, Value::Object(payload)) => {
            let (name, payload) = payload.iter().next().context("a case")?;
            format!("{name}({})", written(payload, &Text)?)
        }
        (Many(inner), Value::Array(values)) => {
            let values = values.iter().map(|value| written(value, inner));
            format!("[{}]", values.collect::<Result<Vec<_>>>()?.join(", "))
        }
        (Record(fields), value) => {
            let field = |(name, kind): &(&str, Type)| {
                Ok(format!("{name}: {}", written(&value[*name], kind)?))
            };
            let fields = fields.iter().map(field).collect::<Result<Vec<_>>>()?;
            format!("{{{}}}", fields.join(", "))
        }
        (_, value) => bail!("{value} is not of the type that is taken"),
    })
}
