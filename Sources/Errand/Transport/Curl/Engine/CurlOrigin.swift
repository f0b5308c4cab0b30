#if canImport(CCurl)
/// A scheme, host and port, and who is on the way there. Belongs to the loop's thread.
final class CurlOrigin {
    let name: String
    var running = 0
    /// How many requests a connection takes at once, as far as that is known.
    var sharing: Sharing
    /// Of those under way, the one that makes another HTTP/2 connection: those that stand have no room for more.
    private(set) var opener: ObjectIdentifier?
    /// The most that may be under way until that connection stands.
    private var capacity = Int.max
    /// When one of those that wait was last let through, in nanoseconds.
    var movedAt: UInt64 = 0
    /// The arrival of the one for whom ``CurlAdmission`` lets it take part in the choice of the next; 0 for nobody.
    var readyArrival = 0
    /// What stands between the first slashes of the last URL that led here, to find it again without taking a URL apart.
    private var spelling = ""
    private var queues: [[CurlTransfer]] = RequestPriority.allCases.map { _ in [] }
    /// How much of each queue has been taken.
    private var heads = RequestPriority.allCases.map { _ in 0 }

    enum Sharing {
        /// Maybe many: the first connection will tell.
        case unknown
        /// One, over HTTP/1.
        case none
        /// As many as the server says, over HTTP/2.
        case streams
    }

    init(_ name: String, sharing: Sharing) {
        self.name = name
        self.sharing = sharing
    }

    /// Whether one more may be under way.
    ///
    /// While it is not known whether a connection takes many, and while another is being made for those that do not fit into the
    /// ones that stand, nobody else begins to connect: a burst would open as many connections as it has requests.
    ///
    /// - Parameter limit: The most connections.
    func hasRoom(_ limit: Int) -> Bool {
        switch sharing {
        case .unknown: running < 1
        case .none: running < limit
        case .streams: running < capacity
        }
    }

    /// A transfer begins to make a connection.
    func connects(_ transfer: CurlTransfer) {
        guard sharing == .streams, opener == nil else { return }
        opener = ObjectIdentifier(transfer)
        capacity = running
    }

    /// Of those that were under way when a transfer began to make a connection, so many had ended.
    func exceptDone(_ count: Int, by transfer: CurlTransfer) {
        if opener == ObjectIdentifier(transfer) { capacity -= count }
    }

    /// A transfer has a connection, or has ended.
    func isSettled(_ transfer: CurlTransfer) {
        guard opener == ObjectIdentifier(transfer) else { return }
        opener = nil
        capacity = .max
    }

    /// The scheme, host and port of a URL, in small letters and without what else stands there.
    ///
    /// `https://user@Host:443?a=1` has the name `https://host:443`, as has `https://host/`.
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
        // The colons of an IPv6 address stand before its bracket.
        let hasPort = !port.isEmpty && port.utf8.allSatisfy { 0x30...0x39 ~= $0 }
        let bare = host.hasSuffix(":") ? String(host.dropLast()) : host
        return "\(scheme)://\(bare)" + (hasPort ? "" : scheme == "https" ? ":443" : ":80")
    }

    /// Remembers how a URL spells this origin.
    func note(_ url: String) {
        var slashes = 0
        let end = url.utf8.firstIndex { byte in
            slashes += byte == UInt8(ascii: "/") ? 1 : 0
            return slashes == 3
        }
        spelling = end.map { String(url[..<$0]) } ?? ""
    }

    /// Whether a URL leads here, as far as that can be seen at once.
    func owns(_ url: String) -> Bool {
        url.withBytes { url in
            spelling.withBytes { name in
                guard let start = url.baseAddress, let own = name.baseAddress, url.count > name.count, !name.isEmpty
                else { return false }
                return memcmp(start, own, name.count) == 0 && url[name.count] == UInt8(ascii: "/")
            }
        }
    }

    func add(_ transfer: CurlTransfer) {
        queues[transfer.request.priority.rawValue].append(transfer)
    }

    /// Who is next; those that have ended are passed over.
    var first: CurlTransfer? {
        for priority in queues.indices.reversed() {
            while heads[priority] < queues[priority].count {
                let transfer = queues[priority][heads[priority]]
                if !transfer.isOver { return transfer }
                advance(priority)
            }
        }
        return nil
    }

    func takeFirst() -> CurlTransfer? {
        guard let first else { return nil }
        advance(first.request.priority.rawValue)
        return first
    }

    var waiting: [CurlTransfer] {
        queues.indices.flatMap { queues[$0][heads[$0]...] }.filter { !$0.isOver }
    }

    /// Drops what has been taken when it is half of the queue, so that each is moved once on average.
    private func advance(_ priority: Int) {
        heads[priority] += 1
        if heads[priority] * 2 >= queues[priority].count {
            queues[priority].removeFirst(heads[priority])
            heads[priority] = 0
        }
    }
}
#endif
