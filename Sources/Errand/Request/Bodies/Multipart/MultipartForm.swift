/// The fields of a form and files, to be sent as `multipart/form-data` (RFC 7578), written as browsers do.
///
/// ```swift
/// body = .multipart([
///     .text("title", "Summer"),
///     .file("photo", photo),
///     .json("place", place),
/// ])
/// ```
///
/// Files and streams are read while they are sent, and never as a whole in memory. The count of the body is known when
/// that of every part is. It can be sent again, for a retry or a redirect, when every part can be read again: all but
/// ``Part/stream(_:_:fileName:type:)`` of something that can be read once.
public struct MultipartForm: Sendable {
    /// The parts, in order; names may repeat.
    public var parts: [Part]
    /// What stands between the parts.
    public let boundary: String

    /// A form of these parts.
    ///
    /// - Parameters:
    ///   - parts: The parts, in order.
    ///   - boundary: Nil makes one at random, which is what you want outside of tests. One of your own must not occur in a
    ///     part, and has 1 to 70 of the characters that RFC 2046, section 5.1.1, allows; with any other the request fails
    ///     with `bodyEncodingFailed`.
    public init(_ parts: [Part] = [], boundary: String? = nil) {
        self.parts = parts
        self.boundary = boundary ?? MultipartEncoding.randomBoundary()
    }
}

extension MultipartForm: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How many parts there are; never what is in them.
    public var description: String { "multipart/form-data (\(parts.count) parts)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no content either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension RequestBody {
    /// The fields of a form and files, as `multipart/form-data`.
    ///
    /// In memory when every part is, and else read while it is sent. A file is as long as it is when the request is built;
    /// one that changes its size while it is sent fails the request with `bodyCountMismatch`.
    public static func multipart(_ form: MultipartForm) -> RequestBody {
        RequestBody(type: .multipartFormData.with("boundary", form.boundary) ?? .multipartFormData) {
            try form.content($0)
        }
    }

    /// The fields of a form and files, as `multipart/form-data`, with a boundary made at random.
    public static func multipart(_ parts: [MultipartForm.Part]) -> RequestBody {
        .multipart(MultipartForm(parts))
    }
}
