import Errand

/// The stubs of all operations of an API. `errand-openapi` generates a type for each document, with a property for each
/// operation:
///
/// ```swift
/// let stubs = RouteStubs()
/// stubs.onBulletin()
/// stubs.onBulletin.getPost(.other, statusCode: 404)
/// ```
///
/// The first line stubs all operations with the examples of the document, or with values made from its schemas. The
/// second one replaces the stub of one operation, because the last matching stub is used.
public protocol DocumentStubs: Sendable {
    /// What the document says about the operations.
    static var document: StubDocument { get }
    /// The stubs to which operations are added.
    var stubs: RouteStubs { get }
}

extension DocumentStubs {
    /// The stub of an operation by its name in Swift. Another name is a programming error.
    public func operation<Status: StubStatus>(_ name: String) -> OperationStub<Status> {
        precondition(Self.document.operations[name] != nil, "the document has no operation \(name)")
        return OperationStub(stubs: stubs, document: Self.document, name: name)
    }

    /// Adds stubs for all operations, each with its first success.
    ///
    /// - Parameters:
    ///   - times: The number of requests of each operation; any number by default, including zero.
    ///   - fileID: The file that adds the stubs, for error messages, like the three parameters that follow.
    ///   - filePath: The path of that file.
    ///   - line: The line in that file.
    ///   - column: The column in that line.
    public func callAsFunction(
        times: StubTimes = .any, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        column: Int = #column
    ) {
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line, column: column)
        for (name, operation) in Self.document.operations.sorted(by: { $0.key < $1.key }) {
            stubs.add(name, of: Self.document, operation.firstSuccess, nil, .always, times, place)
        }
    }
}

extension DocumentOperation {
    /// The status of the first success: the default response, if the document describes no other one.
    fileprivate var firstSuccess: String { responses.keys.sorted().first { $0.hasPrefix("2") } ?? "default" }
}

extension RouteStubs {
    /// Adds a stub of an operation with one of its responses.
    func add(
        _ name: String, of document: StubDocument, _ status: String, _ statusCode: Int?, _ condition: RequestCondition,
        _ times: StubTimes, _ place: StubPlace
    ) {
        let response = RouteStub.Response.handler { request in
            document.response(of: name, status, statusCode: statusCode, for: request)
        }
        add(name, of: document, condition, times, response, place)
    }

    /// Adds a stub of an operation. Without a base URL of these stubs, the path of the document's server is used.
    func add(
        _ name: String, of document: StubDocument, _ condition: RequestCondition, _ times: StubTimes,
        _ response: RouteStub.Response, _ place: StubPlace
    ) {
        guard let operation = document.operations[name] else { return }
        let hasBaseURL = hasBaseURL
        let server = operation.basePath ?? document.basePath
        let base = hasBaseURL || server.isEmpty ? "" : OperationPath(server).pattern
        let prefix = basePath + base
        let length = prefix.isEmpty ? 0 : OperationPath.segments(of: prefix[...]).count
        let check = OperationCheck(document, operation, baseLength: length)
        let known = RouteStub.Operation(
            pointer: operation.pointer,
            isMeant: { request in
                let path = request.encodedPath.afterSegments(length)
                return document.isFor(name, request.method, path, request.queryItems) { other in
                    hasBaseURL || other.basePath ?? document.basePath == server
                } fits: { operation in
                    OperationCheck(document, operation, baseLength: length).fault(of: request) == nil
                }
            }, fault: { request in check.fault(of: request)?.description })
        add(operation.method, base + operation.path.pattern, condition, times, response, place, of: known)
    }
}

extension Substring {
    /// The part of a path after a number of segments.
    func afterSegments(_ count: Int) -> Substring {
        var rest = self
        for _ in 0..<count { rest = rest.dropFirst().drop { $0 != "/" } }
        return rest
    }
}

extension StubDocument {
    /// Returns the response of an operation with a status.
    ///
    /// - Parameter request: The request, whose `Accept` field decides among several media types; `nil` for the first.
    func response(of name: String, _ status: String, statusCode: Int?, for request: MockRequest?) -> MockResponse {
        let operation = operations[name]
        let known = operation?.responses[status].flatMap { responses[$0] }
        let hasSuccess = operation?.responses.keys.contains { $0.hasPrefix("2") } ?? false
        let code = statusCode ?? Int(status) ?? Int(status.prefix(1)).map { $0 * 100 } ?? (hasSuccess ? 500 : 200)
        var response = MockResponse(statusCode: code)
        for (name, value) in (known?.headers ?? [:]).sorted(by: { $0.key < $1.key }) {
            response.headers.add(name, value)
        }
        let contents = known?.content ?? []
        let accepted = (request?.headers[values: "Accept"] ?? []).joined(separator: ",")
        let content = contents.count > 1 ? contents.first { accepted.contains($0.type) } ?? contents[0] : contents.first
        guard var content else { return response }
        if let request, let pages = operation?.pages {
            content.value = content.value.map { pages.page($0, for: request) }
        }
        response.headers.add("Content-Type", content.type)
        response.body = .sized(content.data)
        return response
    }
}
