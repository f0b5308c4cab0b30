#if canImport(CCurl)
import CCurl

/// What a libcurl can do, by its version and by what it was built with. Asked once for the one that the process has.
struct LibraryVersion: Sendable {
    /// As libcurl writes it: `7.88.1`.
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

    /// Whether a transfer that ends while its name is being looked up need not wait for the lookup
    /// (`CURLOPT_QUICK_EXIT`).
    var leavesLookupsBehind: Bool { number >= 0x075700 }

    /// Whether libcurl says when it is about to send a request (`CURLOPT_PREREQFUNCTION`). Without that, nothing keeps
    /// it from sending one again on a connection that died, except a new connection for each.
    var asksBeforeSending: Bool { number >= 0x075000 }

    /// Whether the age of a connection can be limited (`CURLOPT_MAXLIFETIME_CONN`).
    var limitsLifetimes: Bool { number >= 0x075000 }

    /// Whether authorities can be given as memory (`CURLOPT_CAINFO_BLOB`).
    var takesAuthoritiesFromMemory: Bool { number >= 0x074D00 }

    /// Whether HTTP/2 is spoken. Before 7.88, nothing tells a body that a connection error cut short from a whole one.
    var speaksHTTP2: Bool { features & CCURL_VERSION_HTTP2 != 0 && number >= 0x075800 }

    /// Whether a connection on which HTTP/2 is spoken with prior knowledge can be used again; before 8.0, libcurl begins HTTP/2
    /// once more on it.
    var reusesPriorKnowledge: Bool { number >= 0x080000 }

    /// Whether a request may use a connection that was used before.
    func mayReuse(isIdempotent: Bool, hasPriorKnowledge: Bool) -> Bool {
        (isIdempotent || asksBeforeSending) && (!hasPriorKnowledge || reusesPriorKnowledge)
    }

    /// Whether the size of a request is that of its head and its body; before 8.8, it is that of the head (and 8.7 counts nothing).
    var countsBodiesAsRequests: Bool { number >= 0x080800 }

    /// Whether its TLS library tells which protocol was agreed on: OpenSSL and its kin do.
    var tellsOfProtocol: Bool { tellsOfClosing }

    /// Whether a connection error of HTTP/2 ends its streams as if they were whole; mended in 8.1.
    var mistakesConnectionErrorsForEnds: Bool { number < 0x080100 }

    /// Whether its TLS library tells that a server ends a connection in order: OpenSSL and its kin do.
    var tellsOfClosing: Bool { ["OpenSSL/", "quictls/", "LibreSSL/", "BoringSSL"].contains { tls.hasPrefix($0) } }
}
#endif
