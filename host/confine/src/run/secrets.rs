//! The table of what looks like a secret, by the name of a variable and by its value.
//!
//! It is a help and no fence: a secret with a harmless name passes, and a command can read
//! the files of the user.
//!
//! | a variable stays behind | examples |
//! | --- | --- |
//! | a word of its name is in [`WORDS`] | `GITHUB_TOKEN`, `GH_PAT`, `NPM_AUTH`, `apiKey` |
//! | a word of its name ends in one of [`ENDS`] | `GITHUBTOKEN`, `PGPASSWORD` |
//! | its name holds one of [`PHRASES`] | `AZURE_CONNECTION_STRING` |
//! | its value is a URL with a password, or one for the web with a user | `https://x@host/` |
//! | its value is a URL with a parameter that is named so | `jdbc:db://host/?password=x` |
//! | its value begins as tokens of a known issuer do, see [`BEGINNINGS`] | `ghp_…` |
//! | its value is a private key in PEM | |
//!
//! Words are what underscores, other signs, or a capital after a small letter part; case
//! and digits at the end do not count. `PATH`, `COMPAT` and `MONKEY` hold no such word.

use std::ffi::OsStr;

/// Words that mark a secret, beside those of [`ENDS`].
const WORDS: [&str; 27] = [
    "APIKEYS",
    "AUTH",
    "AUTHORIZATION",
    "BEARER",
    "COOKIES",
    "CRED",
    "CREDENTIAL",
    "CREDS",
    "DSN",
    "KEY",
    "KEYS",
    "NETRC",
    "OTP",
    "PASS",
    "PASSCODE",
    "PASSWORDS",
    "PAT",
    "PATS",
    "PEM",
    "PRIVKEY",
    "PW",
    "PWD",
    "SAS",
    "SECRETS",
    "TOKENS",
    "TOTP",
    "WEBHOOKS",
];

/// Words that mark a secret also at the end of another, where the sign is often left out.
const ENDS: [&str; 13] = [
    "ACCESSKEY",
    "APIKEY",
    "COOKIE",
    "CREDENTIALS",
    "JWT",
    "PASSPHRASE",
    "PASSWD",
    "PASSWORD",
    "PRIVATEKEY",
    "SECRET",
    "SECRETKEY",
    "TOKEN",
    "WEBHOOK",
];

/// Words that mark a secret together.
const PHRASES: [&str; 1] = ["CONNECTION_STRING"];

/// Names that hold a word of the table and no secret.
const HARMLESS: [&str; 2] = ["PWD", "OLDPWD"];

/// Beginnings of tokens, as their issuers write them.
const BEGINNINGS: [&str; 14] = [
    "AKIA",
    "ASIA",
    "eyJhbGciOi",
    "ghp_",
    "gho_",
    "ghs_",
    "ghu_",
    "github_pat_",
    "glpat-",
    "sk-ant-",
    "sk_live_",
    "xapp-",
    "xoxb-",
    "xoxp-",
];

/// How long a token is at least.
const SHORTEST: usize = 20;

/// Whether a variable looks like a secret.
pub(super) fn is_secret(name: &OsStr, value: &OsStr) -> bool {
    let (name, value) = (name.to_string_lossy(), value.to_string_lossy());
    is_secret_name(&name) || is_token(&value) || is_private_key(&value) || opens_a_url(&value)
}

fn is_secret_name(name: &str) -> bool {
    let words = words(name);
    let name = words.join("_");
    let marks = |word: &String| {
        WORDS.contains(&word.as_str()) || ENDS.iter().any(|end| word.ends_with(end))
    };
    !HARMLESS.contains(&name.as_str())
        && (words.iter().any(marks) || PHRASES.iter().any(|phrase| name.contains(phrase)))
}

/// The words of a name in capitals, without the digits at their ends.
fn words(name: &str) -> Vec<String> {
    let mut parted = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && parted.ends_with(char::is_lowercase) {
            parted.push('_');
        }
        parted.push(if letter.is_alphanumeric() {
            letter
        } else {
            '_'
        });
    }
    let parted = parted.to_uppercase();
    let words = parted.split('_');
    let words = words.map(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()));
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

fn is_token(value: &str) -> bool {
    let known = BEGINNINGS
        .iter()
        .any(|beginning| value.starts_with(beginning));
    let fits = |c: char| c.is_ascii_alphanumeric() || "_-.=".contains(c);
    known && value.len() >= SHORTEST && value.chars().all(fits)
}

fn is_private_key(value: &str) -> bool {
    value.contains("-----BEGIN") && value.contains("PRIVATE KEY")
}

/// Whether a URL in a value lets in whoever reads it.
fn opens_a_url(value: &str) -> bool {
    let mut scheme = "";
    for (index, part) in value.split("://").enumerate() {
        if index > 0 && (has_user_info(scheme, part) || has_parameter(part)) {
            return true;
        }
        let ends = |c: char| !(c.is_ascii_alphanumeric() || "+.-".contains(c));
        scheme = part.rsplit(ends).next().unwrap_or_default();
    }
    false
}

/// `user:password@host`; for the web a user alone is a token.
fn has_user_info(scheme: &str, rest: &str) -> bool {
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    match authority.rsplit_once('@') {
        Some((user, _)) => user.contains(':') || (web && !user.is_empty()),
        None => false,
    }
}

fn has_parameter(rest: &str) -> bool {
    let Some((_, query)) = rest.split_once('?') else {
        return false;
    };
    let pairs = query.split(['&', ';', '#', ' ', ',']);
    let mut named = pairs.filter_map(|pair| pair.split_once('='));
    named.any(|(name, value)| !value.is_empty() && (is_secret_name(name) || name == "sig"))
}
