#if canImport(CCurl)
import CCurl

/// The capabilities of a libcurl, from its version and build. Read once for the libcurl of the process.
///
/// When ``oldest`` reaches the version that a property compares with, the property is removed, and so is the code that
/// it guards.
struct LibraryVersion: Sendable {
    /// The version in libcurl's notation: `7.88.1`.
    let name: String
    private let number: UInt32
    private let features: Int
    private let tls: String

    /// - Parameters:
    ///   - number: `0xXXYYZZ` for the version X.Y.Z.
    ///   - features: The bits of `CURL_VERSION_…`.
    ///   - tls: The TLS library, as in `OpenSSL/3.0.16`.
    init(number: UInt32, features: Int, tls: String) {
        self.number = number
        self.features = features
        self.tls = tls
        name = [number >> 16, number >> 8, number].map { "\($0 & 0xFF)" }.joined(separator: ".")
    }

    /// The libcurl of this process.
    static let current: LibraryVersion = {
        // libcurl never returns null here.
        guard let version = ccurl_version()?.pointee else { return LibraryVersion(number: 0, features: 0, tls: "") }
        return LibraryVersion(
            number: version.version_num, features: Int(version.features),
            tls: version.ssl_version.map { String(cString: $0) } ?? "")
    }()

    /// The oldest version that Errand works with: 7.76.0.
    static let oldest: UInt32 = 0x074C00

    var isSupported: Bool { number >= Self.oldest }

    /// Whether a transfer that ends during its name lookup can skip the rest of the lookup (`CURLOPT_QUICK_EXIT`).
    var leavesLookupsBehind: Bool { number >= 0x075700 }

    /// Whether libcurl reports that it is about to send a request (`CURLOPT_PREREQFUNCTION`). Without that report,
    /// libcurl could resend a request after a reused connection failed. Then only a new connection prevents that.
    var asksBeforeSending: Bool { number >= 0x075000 }

    /// Whether the age of a connection can be limited (`CURLOPT_MAXLIFETIME_CONN`).
    var limitsLifetimes: Bool { number >= 0x075000 }

    /// Whether authorities can be passed in memory (`CURLOPT_CAINFO_BLOB`).
    var takesAuthoritiesFromMemory: Bool { number >= 0x074D00 }

    /// Whether HTTP/2 is used. Before 7.88, a body that was truncated by a connection error looks complete. For later
    /// versions, see ``mistakesConnectionErrorsForEnds``.
    var speaksHTTP2: Bool { features & CCURL_VERSION_HTTP2 != 0 && number >= 0x075800 }

    /// Whether an HTTP/2 connection with prior knowledge can be reused. Before 8.0, libcurl starts HTTP/2 a second time
    /// on it.
    var reusesPriorKnowledge: Bool { number >= 0x080000 }

    /// Returns whether a request may reuse a connection: not if libcurl could send it a second time without a report,
    /// although its method is not idempotent, and not over HTTP/2 with prior knowledge before 8.0.
    func mayReuse(isIdempotent: Bool, hasPriorKnowledge: Bool) -> Bool {
        (isIdempotent || asksBeforeSending) && (!hasPriorKnowledge || reusesPriorKnowledge)
    }

    /// Whether libcurl's request size includes the body. Before 8.8, it covers only the head (and 8.7 counts nothing).
    var countsBodiesAsRequests: Bool { number >= 0x080800 }

    /// Whether libcurl ends the streams of a failed HTTP/2 connection as if they were complete; fixed in 8.1.
    var mistakesConnectionErrorsForEnds: Bool { number < 0x080100 }

    /// Whether a handle keeps a pointer to the last header field of its previous transfer, which is freed; see
    /// ``CurlTransfer/checkNextLine()``. Fixed in 8.1 (curl's issue 11101).
    var keepsFreedFields: Bool { number >= 0x075400 && number < 0x080100 }

    /// Whether the TLS library is OpenSSL or a fork of it. It then reports the negotiated protocol, and that a server
    /// closed a connection properly.
    var usesOpenSSL: Bool { ["OpenSSL/", "quictls/", "LibreSSL/", "BoringSSL"].contains { tls.hasPrefix($0) } }
}
#endif
