#if canImport(CCurl)
import CCurl

/// The libcurl of this process, as far as Errand depends on its version and build. Read once.
///
/// When ``oldest`` reaches the end of a fault, the fault is removed, and so is the code that it guards. The numbers are
/// those of reports to curl.
struct CurlLibrary: Sendable {
    /// A fault of old versions, or something that they cannot do yet.
    enum Fault: Int, CaseIterable {
        /// Takes authorities only from a file (without `CURLOPT_CAINFO_BLOB`).
        case needsAuthorityFile
        /// Cannot limit the age of a connection (without `CURLOPT_MAXLIFETIME_CONN`).
        case keepsConnectionsForever
        /// Does not report that it is about to send a request (without `CURLOPT_PREREQFUNCTION`). It could resend one
        /// after a reused connection failed, which only a new connection prevents.
        case sendsUnasked
        /// Waits for the lookup of a name although its transfer has ended (without `CURLOPT_QUICK_EXIT`; 8515, 9147).
        case waitsForLookups
        /// A body that is cut off by a connection error over HTTP/2 looks complete, so HTTP/2 is not used.
        case truncatesHTTP2
        /// Starts HTTP/2 a second time when it reuses a connection with prior knowledge (10634).
        case startsHTTP2Twice
        /// Ends the streams of a failed HTTP/2 connection as if they were complete, which libcurl's connection shows.
        case endsFailedStreams
        /// Reads the last field of a handle's previous transfer, which is freed (11101).
        case readsFreedFields
        /// The size of a request is that of its head, without its body (and 8.7 counts nothing).
        case countsHeadsOnly

        /// The versions with the fault, in the notation `0xXXYYZZ` for X.Y.Z.
        var versions: Range<UInt32> {
            switch self {
            case .needsAuthorityFile: 0..<0x074D00
            case .keepsConnectionsForever, .sendsUnasked: 0..<0x075000
            case .waitsForLookups: 0..<0x075700
            case .truncatesHTTP2: 0..<0x075800
            case .startsHTTP2Twice: 0..<0x080000
            case .endsFailedStreams: 0..<0x080100
            case .readsFreedFields: 0x075400..<0x080100
            case .countsHeadsOnly: 0..<0x080800
            }
        }
    }

    /// The version in libcurl's notation: `7.88.1`.
    let name: String
    /// Whether Errand works with it.
    let isSupported: Bool
    /// Whether HTTP/2 is used.
    let speaksHTTP2: Bool
    /// Whether the TLS library is OpenSSL or a fork of it. It then reports the negotiated protocol, and that a server
    /// closed a connection properly.
    let usesOpenSSL: Bool
    /// A bit for each ``Fault``.
    private let faults: UInt

    /// The oldest version that Errand works with: 7.76.0.
    private static let oldest: UInt32 = 0x074C00

    /// - Parameters:
    ///   - number: The version in the notation of ``Fault/versions``.
    ///   - features: The bits of `CURL_VERSION_…`.
    ///   - tls: The TLS library, as in `OpenSSL/3.0.16`.
    init(number: UInt32, features: Int, tls: String) {
        name = [number >> 16, number >> 8, number].map { "\($0 & 0xFF)" }.joined(separator: ".")
        isSupported = number >= Self.oldest
        usesOpenSSL = ["OpenSSL/", "quictls/", "LibreSSL/", "BoringSSL"].contains { tls.hasPrefix($0) }
        let faults = Fault.allCases.filter { $0.versions.contains(number) }
        self.faults = faults.reduce(0) { $0 | 1 << UInt($1.rawValue) }
        speaksHTTP2 = features & CCURL_VERSION_HTTP2 != 0 && !faults.contains(.truncatesHTTP2)
    }

    /// The libcurl of this process.
    static let current: CurlLibrary = {
        // libcurl never returns null here.
        guard let version = ccurl_version()?.pointee else { return CurlLibrary(number: 0, features: 0, tls: "") }
        return CurlLibrary(
            number: version.version_num, features: Int(version.features),
            tls: version.ssl_version.map { String(cString: $0) } ?? "")
    }()

    func has(_ fault: Fault) -> Bool { faults & 1 << UInt(fault.rawValue) != 0 }

    /// Returns whether a request may reuse a connection: not if libcurl could send it a second time without a report,
    /// although its method is not idempotent, and not if HTTP/2 with prior knowledge is started again.
    func mayReuse(isIdempotent: Bool, hasPriorKnowledge: Bool) -> Bool {
        (isIdempotent || !has(.sendsUnasked)) && (!hasPriorKnowledge || !has(.startsHTTP2Twice))
    }
}
#endif
