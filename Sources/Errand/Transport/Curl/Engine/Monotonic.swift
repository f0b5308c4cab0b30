#if canImport(CCurl)
import Dispatch

/// The time that the loop reckons in: nanoseconds since some moment before the process began.
///
/// Read once for each round of the loop, since a transfer would ask for every line of its head. Belongs to the loop's
/// thread.
final class Monotonic {
    private(set) var now = DispatchTime.now().uptimeNanoseconds

    /// Reads the clock.
    func advance() {
        now = DispatchTime.now().uptimeNanoseconds
    }
}

extension Duration {
    /// In whole nanoseconds, at most two hundred years.
    var nanoseconds: UInt64 {
        guard self > .zero else { return 0 }
        let (seconds, attoseconds) = components
        return seconds > 6_000_000_000
            ? 6_000_000_000_000_000_000
            : UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
#endif
