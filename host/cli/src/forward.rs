//! Passes on to a command the signals that this program gets.

use std::fs;
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use dsh_fs_confine::{Signals, Used};
use rustix::process::getpgrp;
use rustix::termios::tcgetpgrp;
use signal_hook::consts::signal::{
    SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGSTOP, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2, SIGWINCH,
};
use signal_hook::iterator::Signals as Arriving;
use signal_hook::low_level::emulate_default_handler;

/// Those that are passed on.
const PASSED_ON: [i32; 9] = [
    SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2, SIGWINCH,
];

/// Those that a terminal sends by itself to everybody in its foreground group.
const OF_A_TERMINAL: [i32; 4] = [SIGINT, SIGQUIT, SIGTSTP, SIGWINCH];

/// Signals that no longer end this program: they wait for the command.
pub(crate) struct Forwarding(Sender<(Signals, Used)>);

impl Forwarding {
    /// From now on signals wait. One that whoever started this program has it ignore stays
    /// ignored, by the command too.
    pub(crate) fn start() -> io::Result<Self> {
        let wanted = PASSED_ON.into_iter().filter(|signal| !is_ignored(*signal));
        let arriving = Arriving::new(wanted)?;
        let (sender, commands) = channel();
        thread::Builder::new().spawn(move || pass_on(arriving, &commands))?;
        Ok(Self(sender))
    }

    /// They are passed on to a command that has started.
    pub(crate) fn to(self, signals: Signals, backend: Used) {
        // The other end waits for it as long as this program runs.
        let _ = self.0.send((signals, backend));
    }
}

fn pass_on(mut arriving: Arriving, commands: &Receiver<(Signals, Used)>) {
    let Ok((command, backend)) = commands.recv() else {
        return;
    };
    for signal in arriving.forever() {
        // A command without confinement is in the group of this program.
        let has_got_it =
            backend == Used::Nothing && OF_A_TERMINAL.contains(&signal) && is_in_the_foreground();
        // In a session of its own nothing is stopped by the terminal's signal.
        let sent = if signal == SIGTSTP { SIGSTOP } else { signal };
        if !has_got_it {
            command.send(sent);
        }
        if signal == SIGTSTP {
            // It is a signal that can be emulated.
            let _ = emulate_default_handler(signal);
        }
    }
}

/// Whether this program is in the foreground group of its terminal.
fn is_in_the_foreground() -> bool {
    let terminal = fs::File::open("/dev/tty");
    terminal.is_ok_and(|terminal| tcgetpgrp(terminal).is_ok_and(|group| group == getpgrp()))
}

fn is_ignored(signal: i32) -> bool {
    // Where it cannot be read, none is taken for one.
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut lines = status.lines();
    let set = lines.find_map(|line| line.strip_prefix("SigIgn:"));
    let set = set.and_then(|set| u64::from_str_radix(set.trim(), 16).ok());
    set.is_some_and(|set| set >> (signal - 1) & 1 == 1)
}
