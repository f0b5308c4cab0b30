/// The transport that will send a request, and the test network before it. Two transports may authenticate the client
/// in different ways, such as with different certificates, so requests over them never share a response.
///
/// Objects are compared by reference, and other transports by `==` if they are `Hashable`.
package struct TransportIdentity: Hashable, Sendable {
    private let transport: any Transport
    private let network: ObjectReference?

    /// - Parameter network: The test network that replaces the transport; `nil` outside tests.
    init(_ transport: any Transport, behind network: (any AnyObject & Sendable)? = nil) {
        self.transport = transport
        self.network = network.map { ObjectReference($0) }
    }

    /// Whether equal identities mean the same transport. It is `false` for a value that is not `Hashable`.
    var isComparable: Bool { object != nil || transport is any Hashable }

    private var object: ObjectIdentifier? {
        // A cast to `AnyObject` would put a value into a new object.
        type(of: transport) is AnyClass ? ObjectIdentifier(transport as AnyObject) : nil
    }

    package static func == (one: TransportIdentity, other: TransportIdentity) -> Bool {
        guard one.network == other.network, type(of: one.transport) == type(of: other.transport),
            one.object == other.object
        else { return false }
        guard one.object == nil, let value = one.transport as? any Hashable else { return true }
        return value.isEqual(to: other.transport)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(network)
        hasher.combine(ObjectIdentifier(type(of: transport)))
        hasher.combine(object)
    }
}

/// An object that is compared by reference. It is retained, so that no later object has its address.
package struct ObjectReference: Hashable, Sendable {
    private let object: any AnyObject & Sendable

    package init(_ object: any AnyObject & Sendable) {
        self.object = object
    }

    package static func == (one: ObjectReference, other: ObjectReference) -> Bool { one.object === other.object }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(object))
    }
}

extension Equatable {
    /// Compares this value with one whose type is not known to be the same.
    fileprivate func isEqual(to other: any Sendable) -> Bool { other as? Self == self }
}
