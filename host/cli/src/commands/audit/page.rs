//! The timeline as one page: style and script are in it, and nothing is fetched.

use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use super::Broken;
use super::entry::Entry;
use super::html::Text;
use super::timeline::or_dash;
use super::wording::{self, Tone};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// A page in the making.
pub(super) struct Page {
    file: BufWriter<File>,
    nonce: String,
    rows: u64,
}

impl Page {
    /// Begins a page, readable by this user alone; one that is there is overwritten.
    pub(super) fn create(out: &Path, source: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.mode(0o600).open(out)?;
        make_room(&mut file)?;
        let mut page = Self {
            file: BufWriter::new(file),
            nonce: nonce(),
            rows: 0,
        };
        page.head(&source.display().to_string())?;
        Ok(page)
    }

    /// Even if a text were taken for markup, no script but the page's own would run, and
    /// nothing could be fetched.
    fn head(&mut self, source: &str) -> io::Result<()> {
        let nonce = &self.nonce;
        let source = Text(source);
        write!(
            self.file,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; base-uri 'none'; \
             form-action 'none'\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n\
             <title>Audit {source}</title>\n<style nonce=\"{nonce}\">\n{STYLE}</style>\n\
             </head>\n<body>\n<h1>Audit <code>{source}</code></h1>\n\
             <form id=\"filters\">\n{}{}{}</form>\n<p id=\"count\" role=\"status\"></p>\n\
             <table>\n<thead><tr><th>Time (UTC)</th><th>Session</th><th>Outcome</th>\
             <th>What happened</th><th>Path</th></tr></thead>\n<tbody id=\"rows\">\n",
            field("session", "Session"),
            field("path", "Part of a path"),
            field("code", "Code or outcome"),
        )
    }

    /// Adds one record.
    pub(super) fn row(&mut self, entry: &Entry) -> io::Result<()> {
        self.rows += 1;
        let tone = match wording::tone(entry) {
            Tone::Done => "done",
            Tone::Refused => "refused",
            Tone::Asked => "asked",
            Tone::Plain => "plain",
        };
        write!(self.file, "<tr class=\"{tone}\">")?;
        let cells = [
            or_dash(entry.text("time")),
            entry.text("session"),
            entry.outcome(),
            wording::what(entry),
            entry.path(),
        ];
        for cell in &cells {
            write!(self.file, "<td>{}</td>", Text(cell))?;
        }
        writeln!(self.file, "</tr>")
    }

    /// Ends the page; answers how many rows it has.
    pub(super) fn finish(mut self, broken: &Broken) -> io::Result<u64> {
        writeln!(self.file, "</tbody>\n</table>")?;
        if broken.count > 0 {
            let note = wording::broken(broken);
            writeln!(self.file, "<p id=\"broken\">{}</p>", Text(&note))?;
        }
        let nonce = &self.nonce;
        writeln!(
            self.file,
            "<script nonce=\"{nonce}\">\n{SCRIPT}</script>\n</body>\n</html>"
        )?;
        self.file.flush()?;
        Ok(self.rows)
    }
}

fn field(name: &str, label: &str) -> String {
    format!("<label>{label} <input name=\"{name}\" type=\"search\" autocomplete=\"off\"></label>\n")
}

/// What whoever wrote the records cannot have known: the keys of the standard library's
/// hasher are random.
fn nonce() -> String {
    let random = || RandomState::new().hash_one(0);
    format!("{:016x}{:016x}", random(), random())
}

/// Empties a former page; what is none, the audit itself for one, is left as it is.
fn make_room(file: &mut File) -> io::Result<()> {
    let mut start = Vec::new();
    Read::by_ref(file)
        .take(START.len() as u64)
        .read_to_end(&mut start)?;
    if !start.is_empty() && start != START.as_bytes() {
        let why = "there is a file that is no such page, and it is not overwritten";
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
    }
    file.rewind()?;
    file.set_len(0)
}

/// How every page begins.
const START: &str = "<!doctype html>";
