#if canImport(Darwin)
import Darwin

/// How large a file of this process may become: the argument of `setrlimit`, whose type differs between platforms.
let fileSizeLimit = RLIMIT_FSIZE
#else
import Glibc

/// How large a file of this process may become: the argument of `setrlimit`, whose type differs between platforms.
let fileSizeLimit = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
#endif
