#if !canImport(Darwin) && !ERRAND_POSIX_MUTEX
import Synchronization

/// `Synchronization.Mutex` where that is to be had on every system that Errand runs on, which is not so on Apple's:
/// there it needs macOS 15 and iOS 18, and ``PosixMutex`` takes its place. (`NSLock` allocates four times on Linux, and
/// every request has a few locks.)
/// The thread sanitizer knows nothing of that mutex, so a build for it sets `ERRAND_POSIX_MUTEX`, and tries the other.
typealias SystemMutex = Mutex
#endif
