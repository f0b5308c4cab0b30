import Errand

/// The responses that a document describes for an operation: `200`, `4XX` or `default` as raw values, the first success
/// first. Generated code declares the enumerations.
public protocol StubStatus: RawRepresentable<String>, CaseIterable, Hashable, Sendable {}

/// A stub of an operation, whose responses come from the API's document. Call it to add it to its ``RouteStubs``:
///
/// ```swift
/// stubs.onBulletin.getPost()
/// stubs.onBulletin.getPost(.other, statusCode: 404, times: .once)
/// stubs.onBulletin.addPost(.json(post, statusCode: 201))
/// stubs.onBulletin.listPosts(inTurn: [.failure(.networkConnectionLost), stubs.onBulletin.listPosts.response()])
/// stubs.onBulletin.getPost { request in .json(post(request.parameters["id"])) }
/// ```
///
/// A request that does not fit the document fails with `ErrandError.Code.unexpectedRequest`, whatever the response is.
/// The error says what is wrong, and where the document demands it.
public struct OperationStub<Status: StubStatus>: Sendable {
    let stubs: RouteStubs
    let document: StubDocument
    let name: String

    /// Returns a response of the document, with a body from its examples or made from its schema.
    ///
    /// - Parameters:
    ///   - status: The response; by default the first success.
    ///   - statusCode: The status code. By default that of `status`: the first of a range such as `4XX`, and for the
    ///     response of all other statuses 500, or 200 if the document describes no success.
    public func response(_ status: Status? = nil, statusCode: Int? = nil) -> MockResponse {
        document.response(of: name, status?.rawValue ?? Self.first, statusCode: statusCode, for: nil)
    }

    /// Adds the stub with a response of the document.
    ///
    /// If the document describes a stream beside JSON, a request that asks for the stream gets it.
    ///
    /// - Parameters:
    ///   - status: The response; by default the first success.
    ///   - statusCode: The status code; see ``response(_:statusCode:)``.
    ///   - condition: A further condition for the request.
    ///   - times: The number of requests; one or more by default.
    ///   - fileID: The file that adds the stub, for error messages, like the three parameters that follow.
    ///   - filePath: The path of that file.
    ///   - line: The line in that file.
    ///   - column: The column in that line.
    public func callAsFunction(
        _ status: Status? = nil, statusCode: Int? = nil, where condition: RequestCondition = .always,
        times: StubTimes = .atLeastOnce, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) {
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line, column: column)
        stubs.add(name, of: document, status?.rawValue ?? Self.first, statusCode, condition, times, place)
    }

    /// Adds the stub with another response, such as a failure. For the other parameters, see the stub with a response
    /// of the document.
    public func callAsFunction(
        _ response: MockResponse, where condition: RequestCondition = .always, times: StubTimes = .atLeastOnce,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) {
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line, column: column)
        stubs.add(name, of: document, condition, times, .handler { _ in response }, place)
    }

    /// Adds the stub with one response for each of successive requests, all of which must be used.
    public func callAsFunction(
        where condition: RequestCondition = .always, inTurn responses: [MockResponse], fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) {
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line, column: column)
        stubs.add(name, of: document, condition, .exactly(responses.count), .inTurn(responses), place)
    }

    /// Adds the stub with responses that a closure returns. The parameters of the path have the names of the document.
    public func callAsFunction(
        where condition: RequestCondition = .always, times: StubTimes = .atLeastOnce, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line, column: Int = #column, handler: @escaping MockHandler
    ) {
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line, column: column)
        stubs.add(name, of: document, condition, times, .handler(handler), place)
    }

    private static var first: String { Status.allCases.first?.rawValue ?? "default" }
}
