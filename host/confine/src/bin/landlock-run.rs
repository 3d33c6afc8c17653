//! A launcher for those who have no program of their own that calls `landlock_exec`.

fn main() -> ! {
    std::process::exit(dsh_fs_confine::landlock_exec(std::env::args_os().skip(1)));
}
