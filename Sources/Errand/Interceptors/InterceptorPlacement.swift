/// The place of an interceptor beside those that share responses among requests, such as ``HTTPCache``.
///
/// A response must not reach another user than the one whose credentials were sent for it. Therefore interceptors that
/// share responses run after all that may add credentials, whichever lists they stand in: those of the class, the
/// endpoint and the service are one list, in which every interceptor with ``beforeSharing`` moves before the first one
/// with ``sharing``. All others keep their order.
public enum InterceptorPlacement: Hashable, Sendable {
    /// Before all interceptors that share responses, because it may add credentials. This is the default.
    case beforeSharing
    /// The interceptor shares responses, and so runs after all that may add credentials.
    case sharing
    /// As listed, also after interceptors that share responses. The interceptor adds no credentials: it is a limit or a
    /// log, for example.
    case asListed
    /// As listed, also after interceptors that share responses. The interceptor adds credentials that are different for
    /// each request, such as a signature. Requests share a response only if their users are equal.
    ///
    /// - Parameter user: A text that identifies the user and stays the same, such as the ID of a key.
    case signing(user: String)
}

extension Interceptor {
    /// Before interceptors that share responses.
    public var placement: InterceptorPlacement { .beforeSharing }
}

extension [any Interceptor] {
    /// These interceptors, with those that may add credentials before the first one that shares responses.
    var inOrder: [any Interceptor] {
        guard let first = firstIndex(where: { $0.placement == .sharing }) else { return self }
        let rest = self[first...]
        return self[..<first] + rest.filter { $0.placement == .beforeSharing }
            + rest.filter { $0.placement != .beforeSharing }
    }

    /// The users for whom interceptors sign.
    var signingUsers: [String] { compactMap { if case .signing(let user) = $0.placement { user } else { nil } } }
}
