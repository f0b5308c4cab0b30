#if canImport(CCurl)
/// A scheme, host and port, with its active and waiting transfers. Belongs to the loop's thread.
final class CurlOrigin {
    let name: String
    /// The number of active transfers.
    var running = 0
    /// How many requests a connection can carry at the same time, if that is known.
    private(set) var sharing: Sharing
    /// The active transfer that opens a connection while ``sharing`` is `streams`: the first one, or another one
    /// because the others have no room.
    private(set) var opener: ObjectIdentifier?
    /// The maximum number of active transfers until the connection of ``opener`` is established.
    private var capacity = Int.max
    /// The time at which a waiting transfer was last started while ``unreachedSince`` was `nil`, in nanoseconds.
    var movedAt: UInt64 = 0
    /// The time since which the origin is known to have no connection, in nanoseconds; `nil` otherwise.
    private(set) var unreachedSince: UInt64?
    /// Whether a transfer failed to connect since ``unreachedSince``.
    private(set) var hasFailed = false
    /// The arrival number of the transfer for which the origin is in ``CurlAdmission``'s ready queue; 0 if it is not in
    /// the queue.
    var readyArrival = 0
    /// The scheme and authority of the latest URL of this origin, to compare URLs without parsing them.
    private var spelling = ""
    /// The waiting transfers of each priority.
    private var queues = RequestPriority.allCases.map { _ in Queue<CurlTransfer>() }

    enum Sharing {
        /// Unknown: the first connection will show it.
        case unknown
        /// One request, over HTTP/1. Also assumed until a response shows HTTP/2, if the TLS library does not report it.
        case none
        /// As many requests as the server allows, over HTTP/2.
        case streams
    }

    init(_ name: String, sharing: Sharing, _ now: UInt64) {
        self.name = name
        self.sharing = sharing
        unreachedSince = sharing == .none ? nil : now
    }

    /// Returns whether another transfer may start.
    ///
    /// Only one transfer opens a connection while it is unknown whether connections are shared. The same applies while
    /// another connection is opened because the existing ones are full. Otherwise a burst of requests would open one
    /// connection for each request. If the first connection fails, the transfers that waited for it all try at the same
    /// time. One after the other, the last of them would wait for the failures of all others.
    ///
    /// - Parameter limit: The maximum number of active transfers if each has its own connection.
    func hasRoom(_ limit: Int) -> Bool {
        switch sharing {
        case .unknown where !hasFailed: running < 1
        case .streams where !hasFailed: running < capacity
        default: running < limit
        }
    }

    /// Whether there are other transfers besides one that is active.
    var hasOthers: Bool { running > 1 || first != nil }

    /// Records that a transfer starts to open a connection.
    func noteConnecting(_ transfer: CurlTransfer, _ now: UInt64) {
        // The only active transfer opens a connection, so the origin has no other one. Without
        // ``LibraryVersion/asksBeforeSending``, libcurl would not report when it is established.
        if running == 1, unreachedSince == nil, LibraryVersion.current.asksBeforeSending { unreachedSince = now }
        guard sharing == .streams, opener == nil, !hasFailed else { return }
        opener = ObjectIdentifier(transfer)
        capacity = running
    }

    /// Reduces the capacity by the number of transfers that had already ended when a transfer started to open a
    /// connection. Does nothing for a transfer that opens none.
    func reduceCapacity(by count: Int, for transfer: CurlTransfer) {
        if opener == ObjectIdentifier(transfer) { capacity -= count }
    }

    /// Records that a transfer has a connection.
    ///
    /// - Parameter sharing: How many requests the connection can carry, if that is known.
    func noteReached(by transfer: CurlTransfer, sharing: Sharing) {
        noteSettled(transfer)
        unreachedSince = nil
        hasFailed = false
        // An origin that was seen to use HTTP/2 keeps that state: a later connection may not report it.
        if self.sharing != .streams { self.sharing = sharing }
    }

    /// Records that a transfer failed to connect, and that no other transfer has a connection.
    func noteUnreached(_ now: UInt64) {
        hasFailed = true
        unreachedSince = unreachedSince ?? now
    }

    /// Records that a transfer has a connection or has ended.
    func noteSettled(_ transfer: CurlTransfer) {
        guard opener == ObjectIdentifier(transfer) else { return }
        opener = nil
        capacity = .max
    }

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

    /// Stores how a URL spells this origin; an empty text if the URL has no path.
    func note(_ url: String) {
        var slashes = 0
        let end = url.utf8.firstIndex { byte in
            slashes += byte == UInt8(ascii: "/") ? 1 : 0
            return slashes == 3
        }
        spelling = end.map { String(url[..<$0]) } ?? ""
    }

    /// Returns whether a URL has this origin, by a comparison of the spelling only.
    func owns(_ url: String) -> Bool {
        url.withBytes { url in
            spelling.withBytes { own in
                guard let start = url.baseAddress, let ownStart = own.baseAddress, url.count > own.count, !own.isEmpty
                else { return false }
                return memcmp(start, ownStart, own.count) == 0 && url[own.count] == UInt8(ascii: "/")
            }
        }
    }

    func add(_ transfer: CurlTransfer) {
        queues[transfer.request.priority.rawValue].append(transfer)
    }

    /// The next waiting transfer. Transfers before it that have ended are removed from their queues.
    var first: CurlTransfer? {
        for priority in queues.indices.reversed() {
            while let transfer = queues[priority].first {
                if !transfer.isOver { return transfer }
                queues[priority].popFirst()
            }
        }
        return nil
    }

    func takeFirst() -> CurlTransfer? {
        guard let first else { return nil }
        return queues[first.request.priority.rawValue].popFirst()
    }

    var waiting: [CurlTransfer] {
        queues.joined().filter { !$0.isOver }
    }
}
#endif
