#if canImport(CCurl)
import Dispatch

/// The time that the loop reckons in: nanoseconds since some moment before the process began.
enum Monotonic {
    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
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
