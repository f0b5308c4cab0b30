/// An error document whose type depends on the status of its response.
///
/// ```swift
/// enum AddPostError: StatusDocument {
///     case conflict(Conflict)
///     case other(ProblemDetails)
///
///     init(from decoder: any Decoder, status: Int) throws {
///         self = status == 409 ? .conflict(try Conflict(from: decoder)) : .other(try ProblemDetails(from: decoder))
///     }
///
///     var document: any Sendable {
///         switch self {
///         case .conflict(let document): document
///         case .other(let document): document
///         }
///     }
/// }
/// ```
///
/// `decodeError(_:)` and ``RequestSettings/errorDocument`` decode it as any error document.
/// ``ErrandError/payload(as:)`` returns it as this type, or as the type of its document.
public protocol StatusDocument: Decodable, Sendable {
    /// Decodes the document of a response with this status.
    ///
    /// - Throws: A `DecodingError` if the body is not the document of this status.
    init(from decoder: any Decoder, status: Int) throws

    /// The document as its own type.
    var document: any Sendable { get }
}

extension StatusDocument {
    /// Decodes the document of a response.
    ///
    /// - Throws: A `DecodingError` if the body is not the document of the response's status, or if no response is
    ///   decoded.
    public init(from decoder: any Decoder) throws {
        guard let status = ResponseStatus.ofDocument else {
            let context = DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: "the status of the response is not known")
            throw DecodingError.dataCorrupted(context)
        }
        try self.init(from: decoder, status: status)
    }
}

enum ResponseStatus {
    /// The status of the response whose error document is decoded. It is task-local because a decoder, which may be of
    /// any library, creates the document and passes it nothing else.
    @TaskLocal static var ofDocument: Int?
}
