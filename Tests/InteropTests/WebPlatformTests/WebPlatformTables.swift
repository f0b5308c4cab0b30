import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport

/// The tables in files of web-platform-tests. Each method returns the rows with another outcome, by their number.
struct WebPlatformTables: Sendable {
    /// The rows of a table, and those with another outcome.
    struct Result {
        var rows = 0
        var failures: [Int: String] = [:]

        mutating func add(_ difference: String?) {
            rows += 1
            failures[rows] = difference
        }
    }

    private struct MIMETypes: Decodable {
        var input: String
        var output: String?
    }

    private struct ContentTypes: Decodable {
        var input: [String]
        var mimeType: String
    }

    private struct ContentLengths: Decodable {
        var input: String
        var output: Int?
    }

    private final class PlainRequest: APIBase, Request {
        init(_ url: URL, _ method: String = "GET") {
            super.init()
            self.url = url
            self.method = RequestMethod(rawValue: method)
            timeoutInterval = .hangGuard
        }

        func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
    }

    /// The folder of the tests.
    let folder: URL

    private func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    /// The media types of single fields.
    func mediaTypes(_ path: String) throws -> Result {
        var result = Result()
        // Titles are among the rows.
        let values = try FastJSONDecoder().decode([JSONValue].self, from: Data(try text(path).utf8))
        for value in values where value.string == nil {
            let row = try FastJSONDecoder().decode(MIMETypes.self, from: FastJSONEncoder().encode(value))
            result.add(Self.difference(of: [row.input], from: row.output))
        }
        return result
    }

    /// The media types of several fields, and of a list in one field.
    func contentTypes() throws -> Result {
        var result = Result()
        let path = "fetch/content-type/resources/content-types.json"
        for row in try FastJSONDecoder().decode([ContentTypes].self, from: Data(try text(path).utf8)) {
            result.add(Self.difference(of: row.input, from: row.mimeType))
            result.add(Self.difference(of: [row.input.joined(separator: ", ")], from: row.mimeType))
        }
        return result
    }

    private static func difference(of values: [String], from expected: String?) -> String? {
        let fields = HeaderFields(values.map { HeaderFields.Field("Content-Type", $0) })
        let found = fields.contentType?.description
        let other = expected.flatMap { HeaderFields([.init("Content-Type", $0)]).contentType?.description }
        return found == other ? nil : "\(found ?? "none") instead of \(other ?? "none")"
    }

    /// The sizes of bodies.
    func contentLengths() async throws -> Result {
        var result = Result()
        let path = "fetch/content-length/resources/content-lengths.json"
        let body = String(repeating: "A", count: 42)
        for row in try FastJSONDecoder().decode([ContentLengths].self, from: Data(try text(path).utf8)) {
            let response = try await Self.response("HTTP/1.1 200 OK\r\n\(row.input)\r\n\r\n\(body)")
            let count = response?.data.count
            result.add(count == row.output ? nil : "\(count ?? -1) bytes instead of \(row.output ?? -1)")
        }
        return result
    }

    /// Responses that must fail, from the texts of an array.
    func invalidResponses(_ path: String) async throws -> Result {
        var result = Result()
        let source = try text(path)
        let front = source.firstMatch(of: #/(?m)^const statusLine = ("(?:[^"\\]|\\.)*")/#).map { String($0.1) }
        let start = try front.map { try Self.text($0) } ?? ""
        for literal in source.matches(of: #/(?m)^  ("(?:[^"\\]|\\.)*"),?$/#) {
            let response = try await Self.response(start + Self.text(String(literal.1)))
            result.add(response.map { "status \($0.statusCode)" })
        }
        return result
    }

    /// Status codes, of which some must fail.
    func statusCodes() async throws -> Result {
        var result = Result()
        let rows = #/input: ("[^"]*"),\s+expected: (?:null|\{\s+status: (\d+))/#
        for row in try text("fetch/h1-parsing/status-code.window.js").matches(of: rows) {
            let line = try Self.text(String(row.1))
            let response = try await Self.response("HTTP/1.1 \(line)\r\nheader-parsing: is sad\r\n\r\n")
            let expected = row.2.flatMap { Int($0) }
            let status = response?.statusCode
            result.add(status == expected ? nil : "\(status ?? -1) instead of \(expected ?? -1)")
        }
        return result
    }

    /// The methods and bodies of requests after a redirect.
    func redirects() async throws -> Result {
        var result = Result()
        let rows = #/(?m)^redirectMethod\("[^"]+", redirUrl, locationUrl, (\d+), "(\w+)", "(\w+)"(.*)\);/#
        for row in try text("fetch/api/redirect/redirect-method.any.js").matches(of: rows) {
            let status = Int(row.1) ?? 0
            let server = try MockServer()
            server.onAny { request in
                request.path == "/" ? .status(status).with(header: "Location", "method.py") : .text("end")
            }
            let request = PlainRequest(server.url.appending(path: "/"), String(row.2))
            let body = row.4.contains("body") ? "a body" : ""
            if !body.isEmpty { request.body = .text(body).withAnyMethod() }
            _ = try await request.start().value
            let last = server.requests.last
            let keepsBody = row.3 == "POST"
            let hasType = last?.headers["Content-Type"] != nil
            let hasBody = last?.text == (keepsBody ? body : "") && hasType == (keepsBody && !body.isEmpty)
            let isExpected = hasBody && last?.method.rawValue == String(row.3)
            result.add(isExpected ? nil : "\(last?.method.rawValue ?? "no request") \(last?.text ?? "")")
        }
        return result
    }

    /// The value of a literal of JavaScript.
    private static func text(_ literal: String) throws -> String {
        try FastJSONDecoder().decode(String.self, from: Data(literal.utf8))
    }

    /// Returns the response of a server that sends a text and closes the connection; `nil` for a failure.
    private static func response(_ text: String) async throws -> DataResponse? {
        let server = try RawServer { connection in
            _ = connection.readHead()
            try connection.write(text)
        }
        return try? await PlainRequest(server.url).start().value
    }
}
