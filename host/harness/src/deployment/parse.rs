//! From text to a deployment: everything that is wrong with it is found in one pass.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use dsh_fs::name;
use dsh_fs::roots::RootRules;
use dsh_fs_confine::Runner;
use serde::Deserialize;
use toml::Spanned;
use toml::de::DeTable;

use super::error::{ConfigCode, ConfigError, Problem};
use super::written::{Escalate, Shell, Written};
use super::{Deployment, EscalationRule, ShellBackend, ShellRules, ShellRunner};
use super::{locate, wording};

/// How many problems are told: the rest follow from them, or nobody would read them.
const MOST: usize = 50;

/// The deployment that a text describes.
pub(super) fn deployment(text: &str, file: &str) -> Result<Deployment, ConfigError> {
    let mut checked = Checked {
        text,
        file,
        problems: Vec::new(),
    };
    let written = checked.written();
    let deployment = checked.deployment(written);
    match ConfigError::of_all(checked.problems) {
        Some(error) => Err(error),
        None => Ok(deployment),
    }
}

struct Checked<'a> {
    text: &'a str,
    file: &'a str,
    problems: Vec<Problem>,
}

impl Checked<'_> {
    /// The keys with the values that have the right type. An entry that has not is told
    /// about and taken out, so that the next one can be told about too.
    fn written(&mut self) -> Written {
        let (mut table, errors) = DeTable::parse_recoverable(self.text);
        for error in &errors {
            let start = error.span().map(|span| span.start);
            self.tell(ConfigCode::Syntax, start, None, error.message().to_owned());
        }
        while errors.is_empty() && self.problems.len() < MOST {
            let error = match Written::deserialize(toml::Deserializer::from(table.clone())) {
                Ok(written) => return written,
                Err(error) => error,
            };
            let start = error.span().map(|span| span.start);
            let key = start.and_then(|start| locate::take_out(table.get_mut(), start));
            let (code, message) = wording::mistyped(error.message());
            let lost = key.is_none();
            self.tell(code, start, key, message);
            if lost {
                break;
            }
        }
        Written::default()
    }

    fn deployment(&mut self, written: Written) -> Deployment {
        let default = Deployment::default();
        let workspace = written.workspace.as_ref();
        Deployment {
            mode: written.mode.map_or(default.mode, Into::into),
            workspace: workspace.and_then(|path| self.absolute("workspace".to_owned(), path)),
            roots: self.each("roots", &written.roots, Self::absolute),
            temp_roots: written.temp_roots.unwrap_or(default.temp_roots),
            environment_temp: false,
            protected: self.each("protected", &written.protected, Self::sub_path),
            deny_read: self.each("deny-read", &written.deny_read, Self::pattern),
            escalation: self.each("escalate", &written.escalate, Self::escalation),
            shell: written
                .shell
                .map_or_else(ShellRules::default, |shell| self.shell(shell)),
            history: written.history,
            audit_failure: written.audit_failure,
            in_place: written.in_place,
            file: None,
        }
    }

    fn each<T, U>(
        &mut self,
        key: &str,
        values: &[Spanned<T>],
        one: impl Fn(&mut Self, String, &Spanned<T>) -> Option<U>,
    ) -> Vec<U> {
        let values = values.iter().enumerate();
        values
            .filter_map(|(index, value)| one(self, format!("{key}[{index}]"), value))
            .collect()
    }

    fn absolute(&mut self, key: String, value: &Spanned<String>) -> Option<PathBuf> {
        self.accept(key, value, wording::not_absolute).map(path)
    }

    fn sub_path(&mut self, key: String, value: &Spanned<String>) -> Option<PathBuf> {
        self.accept(key, value, wording::no_sub_path).map(path)
    }

    fn pattern(&mut self, key: String, value: &Spanned<String>) -> Option<String> {
        let reason = |text: &str| {
            let rule = RootRules::workspace_only().with_deny_read(text);
            rule.err().map(|error| wording::bad_pattern(text, &error))
        };
        self.accept(key, value, reason).map(str::to_owned)
    }

    fn escalation(&mut self, key: String, row: &Spanned<Escalate>) -> Option<EscalationRule> {
        let written = row.get_ref();
        let Some(answer) = written.answer else {
            self.bad(row.span().start, key, wording::no_answer());
            return None;
        };
        let session = written.session.as_ref();
        let glob = session.map_or("*", |session| session.get_ref().as_str());
        match EscalationRule::new(glob, written.to.map(Into::into), answer) {
            Ok(rule) => Some(rule),
            Err(reason) => {
                let start = session.map_or(row.span().start, |session| session.span().start);
                self.bad(start, format!("{key}.session"), wording::no_glob(&reason));
                None
            }
        }
    }

    fn shell(&mut self, shell: Spanned<Shell>) -> ShellRules {
        let start = shell.span().start;
        let shell = shell.into_inner();
        let custom = shell.backend == ShellBackend::Custom;
        if custom != shell.runner.is_some() {
            let start = shell
                .runner
                .as_ref()
                .map_or(start, |runner| runner.span().start);
            self.bad(start, "shell.runner".to_owned(), wording::runner(custom));
        }
        let program = shell
            .runner
            .as_ref()
            .map(|runner| (runner, runner.get_ref().argv.first()));
        if let Some((runner, program)) = program
            && let Some(reason) = wording::not_absolute(program.map_or("", String::as_str))
        {
            self.bad(runner.span().start, "shell.runner.argv".to_owned(), reason);
        }
        if let Some(runner) = shell.runner.as_ref().filter(|_| custom) {
            self.signatures(runner.span().start, runner.get_ref());
        }
        ShellRules {
            backend: shell.backend,
            on_partial: shell.on_partial,
            runner: shell.runner.map(Spanned::into_inner),
        }
    }

    /// The words of a runner, as the shell will take them when a session starts.
    fn signatures(&mut self, start: usize, runner: &ShellRunner) {
        let named = |failure: &[String]| Runner::new(vec!["runner".into()], failure.to_vec());
        if let Err(reason) = named(&runner.failure) {
            let reason = wording::signatures(&reason);
            self.bad(start, "shell.runner.failure".to_owned(), reason);
        }
        let usable = named(&["some".to_owned()]);
        if let Err(reason) = usable.and_then(|made| made.with_denials(runner.denial.clone())) {
            let reason = wording::signatures(&reason);
            self.bad(start, "shell.runner.denial".to_owned(), reason);
        }
    }

    /// The value, if there is no reason against it.
    fn accept<'a>(
        &mut self,
        key: String,
        value: &'a Spanned<String>,
        against: impl Fn(&str) -> Option<String>,
    ) -> Option<&'a str> {
        match against(value.get_ref()) {
            None => Some(value.get_ref()),
            Some(reason) => {
                self.bad(value.span().start, key, reason);
                None
            }
        }
    }

    fn bad(&mut self, start: usize, key: String, message: String) {
        self.tell(ConfigCode::BadValue, Some(start), Some(key), message);
    }

    fn tell(
        &mut self,
        code: ConfigCode,
        start: Option<usize>,
        key: Option<String>,
        message: String,
    ) {
        self.problems.push(Problem {
            place: start.map(|start| locate::place(self.text, start)),
            key,
            ..Problem::of_file(code, self.file, message)
        });
    }
}

/// Bytes that are not UTF-8 are written in the name escape, as everywhere.
fn path(text: &str) -> PathBuf {
    PathBuf::from(OsString::from_vec(name::to_bytes(text)))
}
