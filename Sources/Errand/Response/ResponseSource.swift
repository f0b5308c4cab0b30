/// The source of a response.
public enum ResponseSource: Hashable, Sendable {
    /// The server, or a stub that replaces it.
    case network
    /// A cache, without a request to the server.
    case cache
    /// A cache, after the server confirmed that the stored response is current.
    case revalidated
    /// A cache that has only a stale response.
    case stale
    /// An interceptor, such as a hook.
    case interceptor
}
