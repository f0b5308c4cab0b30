#if canImport(CCurl)
// To be removed when Errand requires libcurl 7.87.

/// The system's name service, called on a separate thread for each lookup.
///
/// Before 7.87, libcurl blocks the loop until the name lookup of a cancelled transfer has ended. With such a version,
/// Errand looks up the names and libcurl gets the addresses.
enum SystemNames {
    /// An error of `getaddrinfo`.
    struct Failure: Error, CustomStringConvertible {
        let code: Int32

        var description: String { String(cString: gai_strerror(code)) }
    }

    /// Returns the addresses of a host in the order of `getaddrinfo`.
    ///
    /// Cancelling the task has no effect, because a call of `getaddrinfo` cannot be interrupted.
    ///
    /// - Throws: ``Failure`` if the lookup fails, for example because the host is unknown.
    static func addresses(of host: String) async throws -> ResolvedHost {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try lookUp(host) }) }
        }
    }

    private static func lookUp(_ host: String) throws -> ResolvedHost {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &first)
        guard code == 0 else { throw Failure(code: code) }
        defer { freeaddrinfo(first) }
        let all = sequence(first: first, next: { $0?.pointee.ai_next }).compactMap(\.self)
        return ResolvedHost(addresses: all.compactMap { text(of: $0.pointee) })
    }

    /// Returns an address as text; `nil` for an address that is valid on a single interface, which libcurl's host
    /// table does not accept.
    private static func text(of address: addrinfo) -> String? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let code = getnameinfo(
            address.ai_addr, address.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        let end = text.firstIndex(of: 0) ?? text.endIndex
        let name = String(decoding: text[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return code == 0 && CurlHostLookups.isAddress(name) ? name : nil
    }
}
#endif
