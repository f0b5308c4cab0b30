extension URLRequest {
    /// The body that is read while the request is sent; `nil` for a request with data, without a body, or with an
    /// `InputStream` of the caller.
    ///
    /// It is kept in `httpBodyStream`, as a stream that only stands for the body and is empty itself: so copies of the
    /// request carry it, and code that looks at `httpBodyStream` alone sees that there is a body. Setting a body
    /// removes `httpBody`; setting `nil` removes any stream.
    package var bodyStream: BodyStream? {
        get { (httpBodyStream as? BodyStreamMarker)?.body }
        set { httpBodyStream = newValue.map(BodyStreamMarker.init) }
    }
}

/// Stands for a body in a `URLRequest`, which cannot hold anything but an `InputStream`.
private final class BodyStreamMarker: InputStream {
    let body: BodyStream

    init(_ body: BodyStream) {
        self.body = body
        super.init(data: Data())
    }
}
