import Errand

@testable import ErrandMockServer
@testable import ErrandTesting

/// Requests and responses as text, to send and to compare.
enum Wire {
    /// A request with a `Host`, these further header lines, and this body with its length.
    static func request(_ method: String, _ target: String, _ fields: String..., body: String = "") -> String {
        let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
        let head = ["\(method) \(target) HTTP/1.1", "Host: test"] + fields + length
        return head.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    /// A response with this status line, these header lines and this body.
    static func response(_ status: String, _ fields: String..., body: String = "") -> String {
        (["HTTP/1.1 \(status)"] + fields).joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    /// The response that `.text(text)` makes.
    static func response(text: String) -> String {
        response(
            "200 OK", "Content-Type: text/plain; charset=utf-8", "Content-Length: \(text.utf8.count)", body: text)
    }

    /// A request that is parsed from its text.
    static func parsed(_ text: String, maximumBodySize: Int = 1_000) throws -> MockRequest {
        var parser = RequestParser(maximumBodySize: maximumBodySize)
        parser.append(Data(text.utf8))
        while let event = parser.next() {
            switch event {
            case .head, .limit, .expectsContinue: continue
            case .request(let request): return request
            case .failure(let failure): throw failure
            }
        }
        throw Incomplete()
    }

    /// The text is not a complete request.
    struct Incomplete: Error {}
}

extension RequestParser {
    /// The next event that is not the head of a request whose body follows.
    mutating func nextAfterHead() -> Event? {
        let event = next()
        if case .head = event { return next() }
        return event
    }
}
