/// An error response of a token server, with the properties that retries and refreshes need.
protocol TokenServerError: Error {
    /// The status code of the response; `nil` if there was none.
    var statusCode: Int? { get }
    /// Whether the same request may succeed later: the server is overloaded or has failed.
    var isTransient: Bool { get }
}
