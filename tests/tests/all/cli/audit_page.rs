//! `dsh-fs audit --html`: the page as a browser shows it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use super::audit::place;
use super::place::Place;

/// The page of the records, or what was said when it was written.
fn written(place: &Place, args: &[&str]) -> String {
    let all = ["audit", "audit.jsonl", "--html", "audit.html"];
    place.program(all.iter().chain(args)).done()
}

/// What the browser makes of the page at this fragment; nothing where no browser works.
fn dom(place: &Place, fragment: &str) -> Option<String> {
    let profile = place.beside("browser");
    let page = place.beside("audit.html");
    let url = format!("file://{}{fragment}", page.display());
    static PROBE: OnceLock<Result<String, String>> = OnceLock::new();
    match PROBE.get_or_init(|| browse("about:blank", &profile)) {
        Ok(_) => Some(browse(&url, &profile).expect("a browser that works shows a page")),
        Err(why) => {
            println!("SKIPPED the page in a browser: chromium: {why}");
            None
        }
    }
}

/// The document at an address, as text.
fn browse(url: &str, profile: &Path) -> Result<String, String> {
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(url)
        .env("HOME", profile)
        .output()
        .map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout).expect("a document is UTF-8")),
        false => Err(output.status.to_string()),
    }
}

/// The rows that are shown.
fn shown(dom: &str) -> Vec<&str> {
    let rows = dom.split("<tr class=\"").skip(1);
    let rows = rows.map(|row| row.split("</tr>").next().unwrap_or_default());
    rows.filter(|row| !row.contains("hidden")).collect()
}

fn browsable(fragment: &str) -> Option<String> {
    let place = place();
    assert_eq!(written(&place, &[]), "audit.html: 5 records\n");
    dom(&place, fragment)
}

/// Fails where `html.rs` writes a character as it is.
#[test]
fn a_page_shows_every_record_and_a_hostile_name_stays_text() {
    let Some(dom) = browsable("") else { return };
    assert_eq!(shown(&dom).len(), 5, "{dom}");
    assert!(dom.contains(">5 of 5 records<"), "{dom}");
    assert!(dom.contains("&lt;script&gt;document.title='taken'&lt;/script&gt;&lt;img"));
    assert!(!dom.contains("<img") && !dom.contains("<script>"), "{dom}");
    assert!(dom.contains("<title>Audit audit.jsonl</title>"), "{dom}");
}

/// Fails without the line of `page.js` that hides a row.
#[test]
fn the_address_filters_the_rows() {
    for (fragment, rows, text) in [
        ("#session=main", 3, "/ws/src/one.rs"),
        ("#path=src%2F&session=other", 1, "/ws/src/two.rs"),
        ("#code=fs_not_observed", 1, "FS_NOT_OBSERVED"),
        ("#path=%3Cscript%3E", 1, "&lt;script&gt;"),
        ("#path=nowhere", 0, ""),
    ] {
        let Some(dom) = browsable(fragment) else {
            return;
        };
        let shown = shown(&dom);
        assert_eq!(shown.len(), rows, "{fragment}: {dom}");
        assert!(
            shown.iter().all(|row| rows > 1 || row.contains(text)),
            "{fragment}"
        );
        assert!(
            dom.contains(&format!(">{rows} of 5 records<")),
            "{fragment}: {dom}"
        );
    }
}

/// Fails without the policy in the head: then the script of another hand runs.
#[test]
fn no_script_but_its_own_runs_in_a_page() {
    let place = place();
    written(&place, &[]);
    let page = place.beside("audit.html");
    let text = fs::read_to_string(&page).expect("a page");
    let foreign = "<script>document.title = 'taken'</script></body>";
    fs::write(&page, text.replace("</body>", foreign)).expect("a page");
    let Some(dom) = dom(&place, "") else { return };
    assert!(
        dom.contains("'taken'") && dom.contains("<title>Audit audit.jsonl</title>"),
        "{dom}"
    );
}

#[test]
fn a_page_is_this_users_alone_needs_nothing_and_tells_what_was_broken() {
    let place = place();
    let file = place.beside("audit.jsonl");
    let mut text = fs::read_to_string(&file).expect("the audit file");
    text.push_str("broken\n");
    fs::write(&file, text).expect("the audit file");
    let ended = place.program([
        "audit",
        "audit.jsonl",
        "--html",
        "audit.html",
        "--code",
        "atomic",
    ]);
    assert_eq!(ended.stdout, "audit.html: 3 records\n");
    let page = place.beside("audit.html");
    let text = fs::read_to_string(&page).expect("a page");
    assert!(text.contains("1 line is no record (line 6)"));
    for outside in ["http:", "https:", "src=\"", "href=", "@import", "url("] {
        assert!(!text.contains(outside), "{outside}");
    }
    assert_eq!(mode(&page), 0o600);
}

fn mode(file: &Path) -> u32 {
    fs::metadata(file)
        .expect("it is there")
        .permissions()
        .mode()
        & 0o777
}

/// Fails without `make_room`: the records themselves were lost.
#[test]
fn a_page_overwrites_nothing_but_a_page() {
    let place = place();
    let before = fs::read_to_string(place.beside("audit.jsonl")).expect("records");
    let refused = place.program(["audit", "audit.jsonl", "--html", "audit.jsonl"]);
    assert!(
        refused.stderr.contains("not overwritten"),
        "{}",
        refused.stderr
    );
    let after = fs::read_to_string(place.beside("audit.jsonl")).expect("records");
    assert_eq!(after, before);
    let first = written(&place, &[]);
    assert_eq!(written(&place, &[]), first);
}
