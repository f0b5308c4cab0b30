import TestSupport
import Testing

/// httpbin from a client's view, a suite for each topic, over both transports wherever `URLSession` on Linux can do it.
@Suite("httpbin", .interop(.httpbin), .sharedHTTPBin, .hangGuard) enum HTTPBinTests {}

extension TransportUnderTest {
    /// libcurl alone, for what `URLSession` on Linux cannot do.
    ///
    /// - Parameter limit: What happens there.
    static func curlOnly(_ limit: StaticString) -> [TransportUnderTest] { [.curl] }
}
