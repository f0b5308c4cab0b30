#if canImport(CCurl)
import Dispatch

/// The loop's clock, in nanoseconds since an unspecified moment before the process started.
///
/// The clock is read before each call of libcurl; otherwise a transfer would read it for every line of its head.
/// Belongs to the loop's thread.
final class Monotonic {
    private(set) var now = DispatchTime.now().uptimeNanoseconds

    /// Reads the clock.
    func advance() {
        now = DispatchTime.now().uptimeNanoseconds
    }

    /// Whether the call of libcurl that began ``now`` takes so long that other transfers should have their turn.
    var isTurnOver: Bool { DispatchTime.now().uptimeNanoseconds &- now >= Self.turn }

    /// The time after which a call of libcurl should return to the loop: 1 millisecond.
    private static let turn: UInt64 = 1_000_000
}

extension Duration {
    /// The duration in whole nanoseconds, at most about 190 years; 0 for a negative duration.
    var nanoseconds: UInt64 {
        guard self > .zero else { return 0 }
        let (seconds, attoseconds) = components
        return seconds > 6_000_000_000
            ? 6_000_000_000_000_000_000
            : UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
#endif
