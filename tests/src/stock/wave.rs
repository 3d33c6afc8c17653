//! WAVE, the text form of values of the component model, as far as the plain functions
//! need it.

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};

/// A string as WAVE spells it.
#[must_use]
pub fn text(text: &str) -> String {
    let mut written = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => written.extend(['\\', character]),
            ' '..='~' => written.push(character),
            other => written.push_str(&format!("\\u{{{:x}}}", u32::from(other))),
        }
    }
    written.push('"');
    written
}

/// A value as JSON: an option as its value or null, a case as its name, one with a payload
/// as an object of one field.
///
/// # Errors
/// The text is none that the functions answer.
pub fn read(text: &str) -> Result<Value> {
    let mut reader = Reader { rest: text };
    let value = reader.value()?;
    reader.skip();
    match reader.rest.is_empty() {
        true => Ok(value),
        false => bail!("more than one value: {}", reader.rest),
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, sign: char) -> bool {
        self.skip();
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn value(&mut self) -> Result<Value> {
        self.skip();
        match self.rest.chars().next().context("a value")? {
            '"' => self.string().map(Value::String),
            '[' => self.list(),
            '{' => self.record(),
            _ => self.case(),
        }
    }

    fn list(&mut self) -> Result<Value> {
        self.take('[');
        let mut values = Vec::new();
        while !self.take(']') {
            values.push(self.value()?);
            self.take(',');
        }
        Ok(Value::Array(values))
    }

    fn record(&mut self) -> Result<Value> {
        self.take('{');
        let mut fields = Map::new();
        while !self.take('}') {
            let name = self.word()?;
            if !self.take(':') {
                bail!("no value of the field {name}");
            }
            fields.insert(name, self.value()?);
            self.take(',');
        }
        Ok(Value::Object(fields))
    }

    /// A name, a number, or a case with its payload.
    fn case(&mut self) -> Result<Value> {
        let word = self.word()?;
        let payload = match self.take('(') {
            true => Some(self.value()?),
            false => None,
        };
        if payload.is_some() && !self.take(')') {
            bail!("the payload of {word} does not end");
        }
        Ok(match (word.as_str(), payload) {
            ("some", Some(value)) => value,
            ("none", None) => Value::Null,
            ("true", None) => json!(true),
            ("false", None) => json!(false),
            ("ok" | "err", None) => json!({ word: null }),
            (_, Some(value)) => json!({ word: value }),
            (number, None) => match number.parse::<u64>() {
                Ok(number) => json!(number),
                Err(_) => json!(number),
            },
        })
    }

    fn word(&mut self) -> Result<String> {
        self.skip();
        self.rest = self.rest.strip_prefix('%').unwrap_or(self.rest);
        let inside = |sign: char| sign.is_ascii_alphanumeric() || sign == '-';
        let end = self.rest.find(|sign| !inside(sign));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        if word.is_empty() {
            bail!("no name: {}", self.rest);
        }
        self.rest = rest;
        Ok(word.to_owned())
    }

    fn string(&mut self) -> Result<String> {
        let mut signs = self.rest[1..].chars();
        let mut text = String::new();
        loop {
            match signs.next().context("the end of a string")? {
                '"' => break,
                '\\' => text.push(escaped(&mut signs)?),
                other => text.push(other),
            }
        }
        self.rest = signs.as_str();
        Ok(text)
    }
}

fn escaped(signs: &mut std::str::Chars<'_>) -> Result<char> {
    Ok(match signs.next().context("an escape")? {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => {
            let (digits, rest) = signs.as_str().split_once('}').context("a character")?;
            let digits = digits.trim_start_matches('{');
            *signs = rest.chars();
            let code = u32::from_str_radix(digits, 16).context("a character")?;
            char::from_u32(code).context("a character")?
        }
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::{read, text};
    use serde_json::json;

    #[test]
    fn what_is_written_is_read() {
        for value in ["", "a", "\"\\\n\r\t", "\u{0}\u{1}é文\u{EFFF}\u{1F600}"] {
            assert_eq!(read(&text(value)).unwrap(), json!(value));
        }
    }

    #[test]
    fn answers_of_functions() {
        let answer =
            r#"err({code: not-observed, message: "a\u{e9}", path: some("/a"), detail: none})"#;
        let error = json!({
            "code": "not-observed", "message": "aé", "path": "/a", "detail": null,
        });
        assert_eq!(read(answer).unwrap(), json!({ "err": error }));
        assert_eq!(read("ok").unwrap(), json!({ "ok": null }));
        assert_eq!(
            read("replace-if-version(\"v\")").unwrap(),
            json!({"replace-if-version": "v"})
        );
        assert_eq!(read("[1, 2]").unwrap(), json!([1, 2]));
        assert!(read("a b").is_err() && read("\"a").is_err() && read("").is_err());
    }
}
