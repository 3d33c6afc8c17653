//! The causes that the operating system gives, in words.

use rustix::io::Errno;

use crate::error::Code;

/// The code of a failure that has no sentence of its own.
pub(super) fn code(errno: Errno) -> Code {
    match errno {
        Errno::ACCESS | Errno::PERM | Errno::ROFS => Code::PermissionDenied,
        _ => Code::IoError,
    }
}

/// The cause, and the name of the error in parentheses.
pub(super) fn cause(errno: Errno) -> String {
    match known(errno) {
        Some((name, words)) => format!("{words} ({name})"),
        None => format!(
            "the operating system reported error {}",
            errno.raw_os_error()
        ),
    }
}

fn known(errno: Errno) -> Option<(&'static str, &'static str)> {
    Some(match errno {
        Errno::ACCESS => ("EACCES", "permission denied"),
        Errno::PERM => ("EPERM", "operation not permitted"),
        Errno::ROFS => ("EROFS", "read-only file system"),
        Errno::NOSPC => ("ENOSPC", "no space left on device"),
        Errno::DQUOT => ("EDQUOT", "disk quota exceeded"),
        Errno::FBIG => (
            "EFBIG",
            "file too large for the file system or the limits of the process",
        ),
        Errno::IO => ("EIO", "input/output error"),
        Errno::MFILE => ("EMFILE", "too many open files in this process"),
        Errno::NFILE => ("ENFILE", "too many open files on this machine"),
        Errno::NOMEM => ("ENOMEM", "out of memory"),
        Errno::BUSY => ("EBUSY", "resource busy"),
        Errno::TXTBSY => ("ETXTBSY", "the file is a program that is running"),
        Errno::EXIST => ("EEXIST", "something with this name exists already"),
        Errno::ISDIR => ("EISDIR", "it is a directory"),
        Errno::NOTEMPTY => ("ENOTEMPTY", "directory not empty"),
        Errno::NODEV => ("ENODEV", "no such device"),
        Errno::NXIO => ("ENXIO", "no such device or address"),
        Errno::XDEV => ("EXDEV", "it lies on another file system"),
        Errno::MLINK => ("EMLINK", "too many hard links"),
        Errno::STALE => ("ESTALE", "the network file system forgot the file"),
        Errno::TIMEDOUT => ("ETIMEDOUT", "the file system did not answer in time"),
        Errno::AGAIN => ("EAGAIN", "resource temporarily unavailable"),
        Errno::INTR => ("EINTR", "interrupted"),
        Errno::INVAL => ("EINVAL", "the file system does not accept the request"),
        Errno::OPNOTSUPP => ("EOPNOTSUPP", "the file system does not support this"),
        Errno::NOSYS => ("ENOSYS", "the kernel does not support this"),
        Errno::OVERFLOW => ("EOVERFLOW", "a value is too large for this system"),
        _ => return None,
    })
}
