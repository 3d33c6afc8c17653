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

/// Names of secrets, whatever their value is: at least one that fails without each word, end
/// and phrase of `run/secrets.rs`.
const SECRETS: [&str; 56] = [
    "TOKEN",
    "GITHUB_TOKEN",
    "githubToken",
    "GITHUBTOKEN",
    "npm_config_//registry.npmjs.org/:_authToken",
    "CI_TOKENS",
    "TOKEN2",
    "GH_PAT",
    "gh_pat",
    "AZURE_DEVOPS_EXT_PAT",
    "DEPLOY_PATS",
    "ANTHROPIC_API_KEY",
    "OPENAI_APIKEY",
    "SERVICE_APIKEYS",
    "SESSION_KEY",
    "SIGNING_KEYS",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "awsAccesskey",
    "TLS_PRIVKEY",
    "MY_PRIVATEKEY",
    "APPSECRETKEY",
    "CLIENT_SECRETS",
    "CLIENTSECRET",
    "PGPASSWORD",
    "ADMIN_PASSWORDS",
    "MYSQL_PWD",
    "FTP_PW",
    "HTTP_PASSWD",
    "DB_PASS",
    "DOOR_PASSCODE",
    "GPG_PASSPHRASE",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GITCREDENTIALS",
    "REGISTRY_CREDS",
    "ONE_CRED",
    "A_CREDENTIAL",
    "NPM_AUTH",
    "AUTH",
    "SSH_AUTH_SOCK",
    "HTTP_AUTHORIZATION",
    "BEARER",
    "SUPABASE_JWT",
    "SESSION_COOKIE",
    "SITECOOKIE",
    "YT_COOKIES",
    "GITHUB_APP_PEM",
    "SENTRY_DSN",
    "SLACK_WEBHOOK",
    "DISCORDWEBHOOK_URL",
    "CI_WEBHOOKS",
    "NETRC",
    "MAIL_OTP",
    "MAIL_TOTP",
    "STORAGE_SAS",
    "AZURE_CONNECTION_STRING",
];

/// Values of secrets, whatever their name is.
const VALUES: [&str; 15] = [
    "postgres://user:word@host/db",
    "redis://:word@host:6379",
    "https://a.example, https://u:p@b.example",
    "https://ghp@github.com/o/r",
    "HTTPS://x@host",
    "jdbc:postgresql://host/db?user=u&password=p",
    "https://host/hook?access_token=1",
    "https://acc.blob.example/c?sv=1&sig=abc",
    "ghp_0123456789abcdefghij",
    "github_pat_0123456789abcdefghij",
    "glpat-0123456789abcdefghij",
    "xoxb-0123456789-0123456789",
    "sk-ant-0123456789abcdefghij",
    "AKIA0123456789ABCDEF",
    "-----BEGIN OPENSSH PRIVATE KEY-----\nx",
];

/// What a shell needs, and what only looks alike.
const ORDINARY: [(&str, &str); 32] = [
    ("PATH", "/bin"),
    ("MANPATH", "/man"),
    ("COMPAT", "1"),
    ("PATTERN", "x"),
    ("HOME", "/h"),
    ("PWD", "/h"),
    ("OLDPWD", "/"),
    ("LANG", "C"),
    ("LC_ALL", "C"),
    ("TERM", "xterm"),
    ("SHELL", "/bin/sh"),
    ("EDITOR", "vi"),
    ("TZ", "UTC"),
    ("TMPDIR", "/tmp"),
    ("XDG_SESSION_ID", "2"),
    ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/user/1000/bus"),
    ("SSH_CONNECTION", "::1 1 ::1 22"),
    ("GIT_AUTHOR_EMAIL", "a@b.example"),
    ("AUTHOR", "me"),
    ("KEYBOARD", "us"),
    ("MONKEY", "1"),
    ("HOTKEYD", "1"),
    ("COMPASS", "n"),
    ("TOKENIZERS_PARALLELISM", "1"),
    ("SECRETARY", "s"),
    ("SSL_CERT_FILE", "/etc/ssl/cert"),
    ("NODE_OPTIONS", "--max-old-space-size=1"),
    ("RUSTFLAGS", "--cfg key=\"x\""),
    ("HTTP_PROXY", "http://proxy:3128/"),
    ("REPO", "ssh://git@host/path:x"),
    ("DATABASE_URL", "postgres://user@host/db?sslmode=require"),
    ("PIP_INDEX_URL", "https://index.example/simple?page=1"),
];

#[test]
fn secrets_stay_behind() {
    for name in SECRETS {
        assert_eq!(passed(&[], &[(name, "x")]), [""; 0], "{name}");
    }
    for value in VALUES {
        assert_eq!(passed(&[], &[("A", value)]), [""; 0], "{value}");
    }
}

#[test]
fn what_is_kept_by_name_is_passed_on() {
    let given = [("GITHUB_TOKEN", "x"), ("SSH_AUTH_SOCK", "/s")];
    assert_eq!(passed(&["GITHUB_TOKEN"], &given), ["GITHUB_TOKEN"]);
}

#[test]
fn what_a_shell_needs_is_passed_on() {
    for (name, value) in ORDINARY {
        assert_eq!(passed(&[], &[(name, value)]), [name], "{name}={value}");
    }
}
