//! `dsh-fs demo`: a guarded session on real files, step by step.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use dsh_fs_harness::{Agent, AgentOptions, CallContext};
use dsh_fs_runtime::{Answer, Approver, Decision, Question, wording};
use serde_json::{Value, json};

use crate::args::{Components, Deployment, ModeArg};
use crate::exit::Failure;
use crate::output::say;
use crate::paint::Paint;
use crate::setup::{OldTexts, Setup, no_session};

/// Walks through read, guarded edit, two refusals, a denial, and an approved escalation.
pub(crate) fn demo() -> Result<(), Failure> {
    let folder = tempfile::Builder::new().prefix("dsh-fs-demo-").tempdir()?;
    let mut stage = Stage::new(folder.path())?;
    stage.introduction()?;
    stage.read_and_edit()?;
    stage.blind_overwrite()?;
    stage.stale_edit()?;
    stage.write_outside()?;
    stage.approved_escalation()?;
    say!("\n{}", stage.paint.bold("That was it."))?;
    say!("Every answer came from the component; every write was checked against the root.")?;
    say!(
        "The temporary folder is removed now. Next: {}",
        stage.paint.bold("dsh-fs run --help")
    )?;
    Ok(())
}

/// The workspace of the demo, a place outside it, and the session at work.
struct Stage<'a> {
    paint: Paint,
    base: &'a Path,
    session: Agent,
    step: u32,
}

impl<'a> Stage<'a> {
    fn new(base: &'a Path) -> Result<Self, Failure> {
        let workspace = base.join("workspace");
        fs::create_dir(&workspace)?;
        fs::create_dir(base.join("elsewhere"))?;
        fs::write(
            workspace.join("greeting.txt"),
            "Hello, world.\nHow are you?\nGoodbye.\n",
        )?;
        fs::write(
            workspace.join("notes.txt"),
            "Notes that took an afternoon.\n",
        )?;
        let deployment = Deployment {
            workspace: Some(workspace),
            mode: Some(ModeArg::WorkspaceWrite),
            config: None,
            // The demo itself lies in a temporary directory, which would be writable.
            no_temp_roots: true,
        };
        let setup = Setup {
            deployment: &deployment,
            components: &Components::default(),
            keeping: None,
            lasting: false,
            in_place: false,
            no_history: false,
            old_texts: Some(OldTexts::Memory),
        };
        let options = AgentOptions {
            approver: Some(Arc::new(Narrated(Paint::stdout()))),
            ..AgentOptions::default()
        };
        let session = setup.open()?.agent("demo", options).map_err(no_session)?;
        Ok(Self {
            paint: Paint::stdout(),
            base,
            session,
            step: 0,
        })
    }

    fn introduction(&self) -> Result<(), Failure> {
        say!(
            "{}",
            self.paint
                .bold("dsh-fs: guarded file access for coding agents")
        )?;
        say!("workspace  {}", self.base.join("workspace").display())?;
        say!("mode       workspace-write (temporary directories switched off)")
    }

    fn read_and_edit(&mut self) -> Result<(), Failure> {
        self.title("The agent reads a file: from now on it has seen it, at this version.")?;
        self.call("read", json!({"file_path": "greeting.txt"}))?;
        self.title("It edits what it has seen: the version is compared and swapped.")?;
        self.call(
            "edit",
            json!({"file_path": "greeting.txt", "old_string": "world", "new_string": "component"}),
        )
    }

    fn blind_overwrite(&mut self) -> Result<(), Failure> {
        self.title("It writes over a file that it never looked at: refused, nothing is lost.")?;
        self.call(
            "write",
            json!({"file_path": "notes.txt", "content": "Better notes.\n"}),
        )?;
        self.show_file("notes.txt")
    }

    fn stale_edit(&mut self) -> Result<(), Failure> {
        self.title("Somebody else changes the file meanwhile; the agent's edit is stale.")?;
        let path = self.base.join("workspace/greeting.txt");
        fs::write(
            &path,
            "Hello, component.\nA person wrote this line.\nGoodbye.\n",
        )?;
        self.call(
            "edit",
            json!({"file_path": "greeting.txt", "old_string": "Goodbye", "new_string": "Bye"}),
        )?;
        self.title("It reads again, and the same edit goes through.")?;
        self.call("read", json!({"file_path": "greeting.txt"}))?;
        self.call(
            "edit",
            json!({"file_path": "greeting.txt", "old_string": "Goodbye", "new_string": "Bye"}),
        )?;
        self.show_file("greeting.txt")
    }

    fn write_outside(&mut self) -> Result<(), Failure> {
        self.title("It writes outside the workspace, spelled and by a link: denied, with a hint.")?;
        self.call(
            "write",
            json!({"file_path": "../elsewhere/out.txt", "content": "x\n"}),
        )?;
        let link = self.base.join("workspace/way-out");
        if std::os::unix::fs::symlink("../elsewhere", link).is_ok() {
            self.call(
                "write",
                json!({"file_path": "way-out/out.txt", "content": "x\n"}),
            )?;
        }
        Ok(())
    }

    fn approved_escalation(&mut self) -> Result<(), Failure> {
        self.title("It follows the hint. The host asks a person, in the host's own words.")?;
        self.call(
            "write",
            json!({
                "file_path": "../elsewhere/out.txt",
                "content": "Written once, with permission.\n",
                "sandbox_permissions": "danger-full-access",
                "justification": "the report belongs beside the workspace",
            }),
        )?;
        self.show_file("../elsewhere/out.txt")?;
        self.title("The permission was for that one mutation; the next one is denied again.")?;
        self.call(
            "write",
            json!({"file_path": "../elsewhere/more.txt", "content": "x\n"}),
        )
    }

    fn title(&mut self, text: &str) -> Result<(), Failure> {
        self.step += 1;
        say!("\n{}", self.paint.bold(&format!("{}. {text}", self.step)))
    }

    fn call(&mut self, tool: &str, args: Value) -> Result<(), Failure> {
        say!("{} {tool} {args}", self.paint.dim("call  "))?;
        let answer = self.session.call(tool, &args, &CallContext::default());
        self.show(&answer)
    }

    fn show(&self, answer: &Answer) -> Result<(), Failure> {
        let verdict = match answer.code {
            None => self.paint.green("ok"),
            Some(code) => self.paint.red(code),
        };
        let grade = answer
            .value
            .as_ref()
            .and_then(|value| value.get("grade"))
            .and_then(Value::as_str)
            .map(|grade| self.paint.dim(&format!("  grade: {grade}")))
            .unwrap_or_default();
        say!("{} {verdict}{grade}", self.paint.dim("answer"))?;
        indent(&answer.text)?;
        let diffs = answer.value.as_ref().and_then(|value| value.get("diffs"));
        for diff in diffs.and_then(Value::as_array).into_iter().flatten() {
            self.show_diff(diff)?;
        }
        Ok(())
    }

    fn show_diff(&self, diff: &Value) -> Result<(), Failure> {
        let lines = |field: &str| diff.get(field).and_then(Value::as_str).unwrap_or_default();
        let (old, new) = (lines("oldText"), lines("newText"));
        let old: Vec<_> = old.lines().collect();
        let new: Vec<_> = new.lines().collect();
        let same_start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let rest = old.len().min(new.len()) - same_start;
        let same_end = old
            .iter()
            .rev()
            .zip(new.iter().rev())
            .take(rest)
            .take_while(|(a, b)| a == b)
            .count();
        for line in &old[..same_start] {
            say!("         {line}")?;
        }
        for line in &old[same_start..old.len() - same_end] {
            say!("       {}", self.paint.red(&format!("- {line}")))?;
        }
        for line in &new[same_start..new.len() - same_end] {
            say!("       {}", self.paint.green(&format!("+ {line}")))?;
        }
        for line in &old[old.len() - same_end..] {
            say!("         {line}")?;
        }
        Ok(())
    }

    fn show_file(&self, path: &str) -> Result<(), Failure> {
        say!("{} {path} holds now:", self.paint.dim("disk  "))?;
        indent(&fs::read_to_string(self.base.join("workspace").join(path))?)
    }
}

fn indent(text: &str) -> Result<(), Failure> {
    text.lines().try_for_each(|line| say!("       {line}"))
}

/// Shows the question and says yes, so that the demo needs nobody at the keyboard.
struct Narrated(Paint);

impl Narrated {
    fn show(&self, question: &Question) -> Result<(), Failure> {
        say!("{}", self.0.yellow("asked "))?;
        indent(&wording::question_once(question))?;
        say!("       {}", self.0.dim("(the demo answers yes, once)"))
    }
}

impl Approver for Narrated {
    fn ask(&self, question: &Question) -> Decision {
        match self.show(question) {
            Ok(()) => Decision::AllowedOnce,
            Err(_) => Decision::Unavailable,
        }
    }
}
