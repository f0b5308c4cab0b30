/// The fields and files of a form, which are sent as `multipart/form-data` (RFC 7578) in the format of browsers.
///
/// ```swift
/// body = .multipart([
///     .text("title", "Summer"),
///     .file("photo", photo),
///     .json("place", place),
/// ])
/// ```
///
/// Files and streams are read while they are sent, and never held in memory as a whole. The size of the body is known
/// if that of every part is. The body can be sent again for a retry or a redirect if every part can be read again. Only
/// a ``Part/stream(_:_:fileName:type:)`` of a stream that can be read once prevents this.
public struct MultipartForm: Sendable {
    /// The parts, in order; names may repeat.
    public var parts: [Part]
    /// The text that separates the parts.
    public let boundary: String

    /// Creates a form from parts.
    ///
    /// - Parameters:
    ///   - parts: The parts, in order.
    ///   - boundary: The boundary; `nil`, the default, creates a random one. A custom one is useful in tests. It must
    ///     not occur in a part, and must have 1 to 70 of the characters that RFC 2046, section 5.1.1, allows. An
    ///     invalid boundary fails the request with `bodyEncodingFailed`.
    public init(_ parts: [Part] = [], boundary: String? = nil) {
        self.parts = parts
        self.boundary = boundary ?? MultipartEncoding.randomBoundary()
    }
}

extension MultipartForm: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of parts. It never contains their contents.
    public var description: String { "multipart/form-data (\(parts.count) parts)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror with only the description, so that `dump` shows no content either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension RequestBody {
    /// Creates a body from the fields and files of a form, as `multipart/form-data`.
    ///
    /// The body is held in memory if every part is. Otherwise, it is read while it is sent. The size of a file is
    /// determined when the request is built. A file that changes its size while it is sent fails the request with
    /// `bodyCountMismatch`.
    public static func multipart(_ form: MultipartForm) -> RequestBody {
        RequestBody(type: .multipartFormData.with("boundary", form.boundary) ?? .multipartFormData) {
            try form.content($0)
        }
    }

    /// Creates a body from the fields and files of a form, as `multipart/form-data` with a random boundary.
    public static func multipart(_ parts: [MultipartForm.Part]) -> RequestBody {
        .multipart(MultipartForm(parts))
    }
}
