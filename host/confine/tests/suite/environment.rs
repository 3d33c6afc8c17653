//! Which variables are secrets.

use dsh_fs_confine::Environment;

fn passed(keep: &[&str], variables: &[(&str, &str)]) -> Vec<String> {
    let given = variables
        .iter()
        .map(|(name, value)| (name.into(), value.into()));
    let environment = Environment::without_secrets(given, keep);
    let names = environment.variables();
    names
        .map(|(name, _)| name.to_str().expect("UTF-8").to_owned())
        .collect()
}

#[test]
fn secrets_stay_behind() {
    let secrets = [
        ("GITHUB_TOKEN", "x"),
        ("githubToken", "x"),
        ("ANTHROPIC_API_KEY", "x"),
        ("OPENAI_APIKEY", "x"),
        ("AWS_SECRET_ACCESS_KEY", "x"),
        ("PGPASSWORD", "x"),
        ("DB_PASS", "x"),
        ("GOOGLE_APPLICATION_CREDENTIALS", "/x"),
        ("DATABASE_URL", "postgres://user:word@host/db"),
        ("MIRRORS", "https://a.example, https://u:p@b.example"),
    ];
    assert_eq!(passed(&[], &secrets), [""; 0]);
    assert_eq!(passed(&["GITHUB_TOKEN"], &secrets), ["GITHUB_TOKEN"]);
}

#[test]
fn what_a_shell_needs_is_passed_on() {
    let usual = [
        ("PATH", "/bin"),
        ("HOME", "/h"),
        ("PWD", "/h"),
        ("OLDPWD", "/"),
        ("LANG", "C"),
        ("TERM", "xterm"),
        ("KEYBOARD", "us"),
        ("MONKEYTYPE", "1"),
        ("COMPASS", "n"),
        ("HTTP_PROXY", "http://proxy:3128/"),
        ("GIT_AUTHOR_EMAIL", "a@b.example"),
        ("REPO", "ssh://git@host/path:x"),
    ];
    assert_eq!(passed(&[], &usual).len(), usual.len());
}
