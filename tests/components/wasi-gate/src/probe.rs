//! One look at each part of WASI.

use wasip2::cli::{environment, exit, stderr, stdin, stdout};
use wasip2::clocks::{monotonic_clock, wall_clock};
use wasip2::filesystem::preopens;
use wasip2::io::poll;
use wasip2::random::random;
use wasip2::sockets::network::{ErrorCode, IpAddressFamily};
use wasip2::sockets::{instance_network, ip_name_lookup, tcp_create_socket, udp_create_socket};

/// What is found at the part that a message has in braces.
pub(crate) fn look(message: &str) -> Option<String> {
    let (_, rest) = message.split_once('{')?;
    let (part, _) = rest.split_once('}')?;
    Some(match part {
        "clock" => clock(),
        "moment" => monotonic_clock::now().to_string(),
        "random" => format!("{:?}", random::get_random_bytes(16)),
        "much-random" => random::get_random_bytes(1 << 30).len().to_string(),
        "environment" => format!("{:?}", environment::get_environment()),
        "arguments" => format!("{:?}", environment::get_arguments()),
        "directory" => format!("{:?}", environment::initial_cwd()),
        "folders" => preopens::get_directories().len().to_string(),
        "input" => input(),
        "output" => output(),
        "tcp" => refused(tcp_create_socket::create_tcp_socket(IpAddressFamily::Ipv4)),
        "udp" => refused(udp_create_socket::create_udp_socket(IpAddressFamily::Ipv4)),
        "names" => names(),
        "sleep" => sleep(),
        "sleep-in-a-list" => sleep_in_a_list(),
        "exit" => {
            exit::exit(Ok(()));
            "still here".into()
        }
        _ => return None,
    })
}

/// The seconds of the wall clock.
pub(crate) fn clock() -> String {
    wall_clock::now().seconds.to_string()
}

fn input() -> String {
    let read = stdin::get_stdin().blocking_read(16);
    read.map_or_else(|_| "ended".into(), |bytes| format!("{bytes:?}"))
}

fn output() -> String {
    let sentence = b"this gate writes to the standard streams\n";
    let written = [stdout::get_stdout(), stderr::get_stderr()]
        .map(|stream| stream.blocking_write_and_flush(sentence).is_ok());
    format!("{written:?}")
}

fn refused<T>(socket: Result<T, ErrorCode>) -> String {
    match socket {
        Ok(_) => "a socket".into(),
        Err(code) => code.name().into(),
    }
}

fn names() -> String {
    let network = instance_network::instance_network();
    refused(ip_name_lookup::resolve_addresses(&network, "localhost"))
}

/// An hour.
const LONG: u64 = 3_600_000_000_000;

fn sleep() -> String {
    monotonic_clock::subscribe_duration(LONG).block();
    "awake".into()
}

fn sleep_in_a_list() -> String {
    poll::poll(&[&monotonic_clock::subscribe_duration(LONG)]);
    "awake".into()
}
