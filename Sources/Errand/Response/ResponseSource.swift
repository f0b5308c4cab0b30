/// Where a response came from.
public enum ResponseSource: Hashable, Sendable {
    /// The server, or the stub in its place.
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
