import TestSupport
import Testing

/// httpbin as a client uses it: a suite for each topic, over both transports wherever `URLSession` on Linux supports
/// it.
@Suite(.interop(.httpbin), .sharedHTTPBin, .hangGuard) enum `httpbin` {}

extension TransportUnderTest {
    /// Only libcurl, for features that `URLSession` on Linux does not support.
    ///
    /// - Parameter limit: The outcome with `URLSession`.
    static func curlOnly(_ limit: StaticString) -> [TransportUnderTest] { [.curl] }
}
