/// A request with a name and typed parameters, which an ``Endpoint`` describes.
///
/// ```swift
/// struct BookRequest: EndpointRequest {
///     let id: Int
///     var endpoint: Endpoint<Book> { .get("/books/\(id)") }
/// }
///
/// let book = try await BookRequest(id: 7).schedule(with: .staging).value
/// ```
///
/// An endpoint is such a request itself. A leaf of an API class is an object that inherits the settings of its API and
/// can have operators; an endpoint request is a `Sendable` value. Both are sent by an ``APIBase``, with the same
/// checks, interceptors, stubs and errors.
public protocol EndpointRequest<Output>: Sendable, Stubbable {
    /// The type of the result.
    associatedtype Output: Sendable

    /// The request. It is read once for each start.
    var endpoint: Endpoint<Output> { get }
}

extension Endpoint: EndpointRequest {
    /// The endpoint itself.
    public var endpoint: Endpoint { self }
}
