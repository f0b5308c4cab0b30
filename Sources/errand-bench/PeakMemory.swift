// The one place that knows the unit of `ru_maxrss`: bytes on Apple platforms, units of 1,024 bytes elsewhere.

#if canImport(Darwin)
import Darwin

extension rusage {
    /// The most memory that the process has used, in bytes.
    var peakBytes: Int { ru_maxrss }
}
#else
import Foundation

extension rusage {
    /// The most memory that the process has used, in bytes.
    var peakBytes: Int { ru_maxrss * 1024 }
}
#endif
