#if canImport(CCurl)
/// A scheme, host and port with its requests, as a part of a ``CurlPool``.
struct CurlOrigin {
    /// How many requests a connection can carry at the same time.
    enum Sharing {
        /// Unknown: the first connection will show it.
        case unknown
        /// One request, over HTTP/1. Also assumed until a response shows HTTP/2, if the TLS library does not report it.
        case none
        /// As many requests as the server allows, over HTTP/2.
        case streams
    }

    /// A request in the queue.
    struct Waiting {
        let request: CurlPool.RequestID
        let priority: RequestPriority
        /// Its position in the order of arrival. A request that has ended has another one.
        let arrival: Int
    }

    let name: String
    private(set) var sharing: Sharing
    /// The number of requests that are with libcurl.
    var running = 0
    /// The number of those that have a connection.
    var connected = 0
    /// The number of requests that wait.
    var waiting = 0
    /// The request that opens a connection while ``sharing`` is `streams`: the first one, or another one because the
    /// others have no room.
    private var opener: CurlPool.RequestID?
    /// The maximum number of running requests until the connection of ``opener`` is established.
    private var capacity = Int.max
    /// The time at which a waiting request was last started while ``unreachedSince`` was `nil`.
    var movedAt: UInt64 = 0
    /// The time since which the origin is known to have no connection; `nil` otherwise.
    private(set) var unreachedSince: UInt64?
    /// Whether a request failed to connect since ``unreachedSince``.
    private(set) var hasFailed = false
    /// The arrival of the request for which the origin is in the pool's ready queue; 0 if it is not in the queue.
    var readyArrival = 0
    /// The waiting requests of each priority, and those that have ended since they were added.
    private var queues: [Queue<Waiting>] = []

    init(_ name: String, sharing: Sharing, _ now: UInt64) {
        self.name = name
        self.sharing = sharing
        unreachedSince = sharing == .none ? nil : now
    }

    /// Whether it has no requests.
    var isEmpty: Bool { running == 0 && waiting == 0 }

    /// Whether there are other requests besides one that runs.
    var hasOthers: Bool { running > 1 || waiting > 0 }

    /// Returns whether another request may start.
    ///
    /// Only one request opens a connection while it is unknown whether connections are shared. The same applies while
    /// another connection is opened because the existing ones are full. Otherwise a burst of requests would open one
    /// connection for each request. If the first connection fails, the requests that waited for it all try at the same
    /// time. One after the other, the last of them would wait for the failures of all others.
    ///
    /// - Parameter limit: The maximum number of running requests if each has its own connection.
    func hasRoom(_ limit: Int) -> Bool {
        switch sharing {
        case .unknown where !hasFailed: running < 1
        case .streams where !hasFailed: running < capacity
        default: running < limit
        }
    }

    /// Records that a request opens a connection.
    ///
    /// - Parameter ended: The number of running requests that libcurl has already completed.
    mutating func opening(_ request: CurlPool.RequestID, ended: Int, _ now: UInt64) {
        // The only running request opens a connection, so the origin has no other one.
        if running == 1, unreachedSince == nil { unreachedSince = now }
        guard sharing == .streams, opener == nil, !hasFailed else { return }
        opener = request
        capacity = running - ended
    }

    /// Records that a request has a connection.
    mutating func reached(by request: CurlPool.RequestID, sharing: Sharing) {
        settled(request)
        unreachedSince = nil
        hasFailed = false
        // An origin that was seen to use HTTP/2 keeps that state: a later connection may not report it.
        if self.sharing != .streams { self.sharing = sharing }
    }

    /// Records that a request failed to connect, and that no other one has a connection.
    mutating func unreached(_ now: UInt64) {
        hasFailed = true
        unreachedSince = unreachedSince ?? now
    }

    /// Records that a request has a connection or has ended.
    mutating func settled(_ request: CurlPool.RequestID) {
        guard opener == request else { return }
        opener = nil
        capacity = .max
    }

    /// Adds a request to the queue.
    mutating func add(_ request: Waiting) {
        if queues.isEmpty { queues = RequestPriority.allCases.map { _ in Queue() } }
        queues[request.priority.rawValue].append(request)
    }

    /// The next request of the queue, which may have ended.
    var first: Waiting? { queues.reversed().lazy.compactMap(\.first).first }

    mutating func removeFirst(_ first: Waiting) {
        queues[first.priority.rawValue].popFirst()
    }
}

/// The scheme and the authority of a URL, as it spells them: to compare URLs without parsing them.
struct OriginSpelling {
    /// Empty for a URL without a path.
    private let text: String

    init(of url: String) {
        var slashes = 0
        let end = url.utf8.firstIndex { byte in
            slashes += byte == UInt8(ascii: "/") ? 1 : 0
            return slashes == 3
        }
        text = end.map { String(url[..<$0]) } ?? ""
    }

    /// Returns whether a URL spells its origin in the same way.
    func isSpelling(of url: String) -> Bool {
        url.withBytes { url in
            text.withBytes { own in
                guard let start = url.baseAddress, let ownStart = own.baseAddress, url.count > own.count, !own.isEmpty
                else { return false }
                return memcmp(start, ownStart, own.count) == 0 && url[own.count] == UInt8(ascii: "/")
            }
        }
    }
}

extension CurlOrigin {
    /// Returns the scheme, host and port of a URL in lowercase, without its other parts.
    ///
    /// Both `https://user@Host:443?a=1` and `https://host/` have the name `https://host:443`.
    static func name(of url: String) -> String {
        let bytes = url.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return url.lowercased() }
        let scheme = url[..<colon].lowercased()
        let start = bytes.index(colon, offsetBy: 3, limitedBy: bytes.endIndex) ?? bytes.endIndex
        let end = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
        var authority = url[start..<end]
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        let host = authority.lowercased()
        let port = host.utf8.lastIndex(of: UInt8(ascii: ":")).map { host[host.utf8.index(after: $0)...] } ?? ""
        // The colons of an IPv6 address come before its closing bracket.
        let hasPort = !port.isEmpty && port.utf8.allSatisfy(\.isDigit)
        let bare = host.hasSuffix(":") ? String(host.dropLast()) : host
        return "\(scheme)://\(bare)" + (hasPort ? "" : scheme == "https" ? ":443" : ":80")
    }
}
#endif
