import TestSupport
import Testing

@testable import Errand

struct `A curl command` {
    private func request(_ url: String = "https://example.com/a", _ method: String = "GET") throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        return request
    }

    @Test func `the curl command of a plain GET is only the URL`() throws {
        #expect(try request().curlCommand() == "curl https://example.com/a")
    }

    @Test func `a curl command redacts user info, query values, header values and the body`() throws {
        var request = try request("https://me:hunter2@example.com/a?key=hunter2&flag#hunter2", "POST")
        request.setValue("Bearer hunter2", forHTTPHeaderField: "Authorization")
        request.setValue("id=hunter2", forHTTPHeaderField: "Cookie")
        request.setValue("en", forHTTPHeaderField: "Accept-Language")
        request.setValue("text/plain", forHTTPHeaderField: "content-type")
        request.httpBody = Data("hunter2".utf8)
        let expected = """
            curl -X POST -H 'Accept-Language: en' -H 'Authorization: ***' -H 'Content-Type: text/plain' \
            -H 'Cookie: ***' --data-raw '***' 'https://example.com/a?key=***&***'
            """
        #expect(request.curlCommand().replacing("content-type", with: "Content-Type") == expected)
    }

    @Test func `a curl command escapes a quote followed by a combining mark`() throws {
        var request = try request("https://example.com/", "POST")
        request.httpBody = Data("'\u{301};ls".utf8)
        let expected = Data("curl -X POST -H Content-Type: --data-raw ''\\''\u{301};ls' https://example.com/".utf8)
        #expect(Data(request.curlCommand(body: true).utf8) == expected)
    }

    @Test func `a curl command shows values that are disclosed by name, but never user info`() throws {
        var request = try request("https://me:hunter2@example.com/?page=2&q%5B%5D=a%20b&key=hunter2&page=3", "PUT")
        request.setValue("7", forHTTPHeaderField: "X-Request-ID")
        request.setValue("hunter2", forHTTPHeaderField: "X-Key")
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data("@it's\n$HOME".utf8)
        let expected = """
            curl -X PUT -H 'Content-Type: text/plain' -H 'X-Key: ***' -H 'X-Request-ID: 7' \
            --data-raw '@it'\\''s
            $HOME' 'https://example.com/?page=2&q%5B%5D=a%20b&key=***&page=3'
            """
        let command = request.curlCommand(revealingQuery: ["page", "q[]"], headers: ["x-request-id"], body: true)
        #expect(command.replacing("X-Request-Id", with: "X-Request-ID") == expected)
    }

    @Test(arguments: [
        ("", "''"), ("it's", #"'it'\''s'"#), ("a b", "'a b'"), ("$(rm -rf ~)`x`\"\\", "'$(rm -rf ~)`x`\"\\'"),
        ("!", "'!'"), ("é", "'é'"), ("a-B_9.:/@%+,", "a-B_9.:/@%+,"), ("a=b", "'a=b'"),
    ])
    func `a curl command quotes the body for a shell`(_ text: String, _ expected: String) throws {
        var request = try request("https://example.com", "POST")
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(text.utf8)
        let command = request.curlCommand(body: true)
        #expect(command == "curl -X POST -H 'Content-Type: text/plain' --data-raw \(expected) https://example.com")
    }

    @Test func `a curl command prevents curl from adding its default fields`() throws {
        var request = try request()
        request.httpBody = Data("a".utf8)
        #expect(
            request.curlCommand(body: true)
                == "curl -X GET -H Content-Type: --data-raw a https://example.com/a")
        var empty = try self.request()
        empty.setValue("", forHTTPHeaderField: "X-Empty")
        #expect(empty.curlCommand() == "curl -H 'X-Empty;' https://example.com/a")
    }

    @Test func `a curl command of a HEAD with a body names the method`() throws {
        var request = try request("https://example.com/", "HEAD")
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data("a".utf8)
        let expected = "curl -X HEAD -H 'Content-Type: text/plain' --data-raw a https://example.com/"
        #expect(request.curlCommand(body: true) == expected)
    }

    @Test func `a curl command uses --head for HEAD and --globoff for brackets`() throws {
        #expect(try request("http://[::1]:80/a", "HEAD").curlCommand() == "curl --head --globoff 'http://[::1]:80/a'")
    }

    @Test(arguments: [Data([0xFF, 0xFE]), Data([0x61, 0x00])])
    func `a curl command reads a body that no shell word can contain from standard input`(_ body: Data) throws {
        var request = try request("https://example.com", "POST")
        request.setValue("image/png", forHTTPHeaderField: "Content-Type")
        request.httpBody = body
        let command = "curl -X POST -H 'Content-Type: image/png' --data-binary @- https://example.com"
        #expect(request.curlCommand(body: true) == command)
        #expect(request.curlCommand() == command.replacing("--data-binary @-", with: "--data-raw '***'"))
        request.httpBody = nil
        request.httpBodyStream = InputStream(data: body)
        #expect(request.curlCommand(body: true) == command)
    }

    @Test func `a curl command reads a file body from its path, which is shown only with the body`() throws {
        let file = try TemporaryFile(Data("a".utf8), pathExtension: "it's")
        var request = try request("https://example.com", "PUT")
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        request.bodyStream = try BodyStream(file: file.url)
        let path = file.url.path.replacingOccurrences(of: "'", with: #"'\''"#)
        let command = "curl -X PUT -H 'Content-Type: text/plain' --data-binary"
        #expect(request.curlCommand(body: true) == "\(command) '@\(path)' https://example.com")
        #expect(request.curlCommand() == "\(command) '@***' https://example.com")
    }

    @Test func `a curl command reads a stream body from standard input`() throws {
        let file = try TemporaryFile(Data("four".utf8))
        for stream in [BodyStream(AsyncStream { nil }), try BodyStream(file: file.url, bytes: 1..<3)] {
            var request = try request("https://example.com", "POST")
            request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
            request.bodyStream = stream
            let command = "curl -X POST -H 'Content-Type: text/plain' --data-binary @- https://example.com"
            #expect(request.curlCommand(body: true) == command)
        }
    }

    @Test func `a curl command sends a form with --form and files by path`() throws {
        let file = try TemporaryFile(Data("a".utf8), pathExtension: "png")
        let body = RequestBody.multipart([
            .text("title", "@Summer; 1"), .file("photo", file.url, fileName: "a \"b\".png"),
            .data("tags", Data("[1;2]".utf8), type: .json), .data("raw", Data([0xFF])),
            .stream("log", BodyStream(AsyncStream { nil }), type: .plainText),
        ])
        guard case .stream(let stream) = try body.content(BodyEncoder(encoder: JSONEncoder())) else {
            Issue.record("a form with a file is not streamed")
            return
        }
        var request = try request("https://example.com", "POST")
        request.setValue(body.type?.description, forHTTPHeaderField: "Content-Type")
        request.setValue("7", forHTTPHeaderField: "X-Tag")
        request.bodyStream = stream
        let expected = """
            curl -X POST -H 'X-Tag: 7' --form-string 'title=@Summer; 1' \
            -F 'photo=@"\(file.url.path)";type=image/png;filename="a \\"b\\".png"' \
            -F 'tags="[1;2]";type=application/json' -F 'raw=@-;type=application/octet-stream' \
            -F 'log=@-;type=text/plain' https://example.com
            """
        #expect(request.curlCommand(headers: ["X-Tag"], body: true) == expected)
        let hidden = """
            curl -X POST -H 'X-Tag: ***' --form-string 'title=***' -F 'photo=@***;type=image/png;filename=***' \
            -F 'tags=***;type=application/json' -F 'raw=***;type=application/octet-stream' -F 'log=@-;type=text/plain' \
            https://example.com
            """
        #expect(request.curlCommand() == hidden)
    }
}
