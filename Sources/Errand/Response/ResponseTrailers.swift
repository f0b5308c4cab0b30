/// The trailer fields of a response (RFC 9110, section 6.5), which a transport sets before it reports the end of the
/// body.
///
/// Read them as ``DataResponse/trailers``.
public final class ResponseTrailers: Sendable {
    private let state: Locked<HeaderFields>

    /// Creates a container with these fields.
    public init(_ fields: HeaderFields = [:]) {
        state = Locked(fields)
    }

    /// The trailer fields. A transport sets them before it reports the end of the body.
    public var fields: HeaderFields {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
