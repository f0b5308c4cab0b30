/// The identity of the transport that will send a request. Different transports may authenticate the client in
/// different ways, such as with different certificates.
///
/// Objects are compared by reference, and other transports by `==` if they are `Hashable`.
struct TransportIdentity: Hashable, Sendable {
    // Stored unchanged, because only an interceptor that shares transfers needs the casts.
    private let transport: any Transport

    init(_ transport: any Transport) {
        self.transport = transport
    }

    /// Whether equal identities mean the same transport. It is `false` for a value that is not `Hashable`.
    var isComparable: Bool {
        if let wrapper = transport as? any TransportWrapper { return TransportIdentity(wrapper.inner).isComparable }
        return object != nil || transport is any Hashable
    }

    private var object: ObjectIdentifier? {
        // On platforms without Objective-C, a cast to `AnyObject` would put a value into a new object.
        type(of: transport) is AnyClass ? ObjectIdentifier(transport as AnyObject) : nil
    }

    static func == (one: TransportIdentity, other: TransportIdentity) -> Bool {
        guard type(of: one.transport) == type(of: other.transport), one.object == other.object else { return false }
        guard one.object == nil, let value = one.transport as? any Hashable else { return true }
        return value.isEqual(to: other.transport)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type(of: transport)))
        hasher.combine(object)
    }
}

/// A transport that sends over another one. Two wrappers are equal only if their inner transports are.
protocol TransportWrapper: Transport, Hashable {
    var inner: any Transport { get }
}

extension Equatable {
    fileprivate func isEqual(to other: any Sendable) -> Bool { other as? Self == self }
}

extension TransportRequest {
    /// Stores the transport that will send this request, and its client certificate.
    mutating func identify(_ transport: any Transport) {
        clientCertificate = transport.clientCertificate
        self[TransportIdentity.self] = TransportIdentity(transport)
    }
}
