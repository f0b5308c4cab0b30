import TestSupport
import Testing

@testable import Errand

struct `What a log discloses` {
    private var request: TransportRequest {
        var request = limitedRequest(
            "https://me:hunter2@api.example.com/users?page=2&key=hunter2#hunter2", method: "POST",
            headers: [
                "Authorization": "Bearer hunter2", "Cookie": "id=hunter2", "X-Key": "hunter2",
                "content-type": "application/json",
            ])
        request.urlRequest.httpBody = Data(#"{"name":"Ada","password":"hunter2"}"#.utf8)
        return request
    }

    /// Everything that the most detailed log shows of a request and its response.
    private func logged(_ disclosure: LogDisclosure) async throws -> [LogEntry] {
        let entries = Locked<[LogEntry]>([])
        let logging = LoggingInterceptor(
            level: .trace, disclosure: disclosure, sink: { entry in entries.withLock { $0.append(entry) } },
            requestID: { _ in "1" })
        let response = DataResponse(
            statusCode: 200,
            headers: ["Content-Type": "application/problem+json", "Set-Cookie": "id=hunter2", "ETag": "hunter2"],
            data: Data(#"{"access_token":"hunter2","id":7}"#.utf8), url: URL(string: "https://b.example/?key=hunter2"))
        _ = try await logging.intercept(request, next: Next { _ in response })
        return entries.withLock { $0 }
    }

    @Test func `header values, query values, user info and bodies are hidden in a log by default`() async throws {
        var disclosure = LogDisclosure()
        disclosure.showsCurlCommand = true
        let entries = try await logged(disclosure)
        #expect(entries.count == 2)
        for entry in entries {
            #expect(!"\(entry)".contains("hunter2"))
            #expect(!"\(entry.fields)".contains("hunter2"))
            #expect(entry.headers?.contains { $0.value.contains("hunter2") } == false)
            #expect(entry.body == nil)
        }
        #expect(entries[0].url == "https://api.example.com/users?page=***&key=***")
        #expect(entries[0].headers?["Content-Type"] == "application/json")
        #expect(entries[0].headers?["Authorization"] == "***")
        #expect(entries[0].curlCommand?.contains("--data-raw '***'") == true)
        #expect(entries[1].url == "https://b.example/?key=***")
        #expect(entries[1].headers?["Set-Cookie"] == "***")
    }

    @Test func `values with names in the lists are shown in a log`() async throws {
        var disclosure = LogDisclosure()
        disclosure.queryNames = ["page"]
        disclosure.headerNames = ["etag"]
        disclosure.showsBodies = true
        disclosure.showsCurlCommand = true
        let entries = try await logged(disclosure)
        #expect(entries[0].url == "https://api.example.com/users?page=2&key=***")
        #expect(entries[0].headers?["Content-Type"] == "***")
        #expect(entries[0].body == #"{"name":"Ada","password":"***"}"#)
        #expect(entries[0].curlCommand?.contains(#"'{"name":"Ada","password":"***"}'"#) == true)
        #expect(entries[0].curlCommand?.contains("hunter2") == false)
        #expect(entries[1].headers?["ETag"] == "hunter2")
        #expect(entries[1].headers?["Set-Cookie"] == "***")
        #expect(entries[1].body == #"{"access_token":"***","id":7}"#)
    }

    @Test func `a closure allows values in a log individually`() async throws {
        var disclosure = LogDisclosure()
        disclosure.allows = { item, request in
            switch item {
            case .header(let name): name.lowercased() == "x-key"
            case .query(let name): name == "key"
            case .body(let type): type == "application/json" && request.urlRequest.url?.path == "/users"
            }
        }
        disclosure.showsCurlCommand = true
        let entries = try await logged(disclosure)
        #expect(entries[0].url == "https://api.example.com/users?page=***&key=hunter2")
        #expect(entries[0].headers?["X-Key"] == "hunter2")
        #expect(entries[0].headers?["Cookie"] == "***")
        #expect(entries[0].body == #"{"name":"Ada","password":"***"}"#)
        #expect(entries[0].curlCommand?.contains("X-Key: hunter2") == true)
        #expect(entries[0].curlCommand?.contains("page=***&key=hunter2") == true)
        #expect(entries[0].curlCommand?.contains("me:") == false)
        #expect(entries[1].body == nil)
    }

    @Test func `bodies and header fields are logged only at trace level`() async throws {
        var disclosure = LogDisclosure()
        disclosure.showsBodies = true
        let entries = Locked<[LogEntry]>([])
        let logging = LoggingInterceptor(
            level: .debug, disclosure: disclosure, sink: { entry in entries.withLock { $0.append(entry) } })
        _ = try await logging.intercept(request, next: Next { _ in DataResponse(statusCode: 200) })
        #expect(entries.withLock { $0 }.count == 2)
        #expect(entries.withLock { $0 }.allSatisfy { $0.body == nil && $0.headers == nil })
    }

    @Test(arguments: ["image/png", "text/csv; charset=utf-8", "multipart/form-data; boundary=x"])
    func `a body that is neither JSON nor a form is logged only if the closure allows it`(_ type: String) {
        var disclosure = LogDisclosure()
        disclosure.showsBodies = true
        #expect(disclosure.body(Data("text".utf8), contentType: type, of: request) == nil)
        #expect(disclosure.body(Data("text".utf8), contentType: nil, of: request) == nil)
        disclosure.allows = { item, _ in if case .body = item { true } else { false } }
        #expect(disclosure.body(Data("text".utf8), contentType: type, of: request) == "text")
        #expect(disclosure.body(Data("text".utf8), contentType: "nonsense", of: request) == nil)
    }

    @Test(arguments: [Int.min, -1, 0])
    func `an invalid body limit logs only the length of the body`(_ limit: Int) {
        var disclosure = LogDisclosure()
        disclosure.showsBodies = true
        disclosure.bodyLimit = limit
        #expect(disclosure.body(Data("true".utf8), contentType: "application/json", of: request) == "... (4 bytes)")
        disclosure.bodyLimit = .max
        #expect(disclosure.body(Data("true".utf8), contentType: "application/json", of: request) == "true")
    }

    @Test func `control characters from the server are escaped in a log`() async throws {
        let evil = "a\r\n[1] <- 200\u{1B}[2J\u{2028}\u{202E}\u{85}\0b"
        let entries = Locked<[LogEntry]>([])
        var disclosure = LogDisclosure()
        disclosure.showsBodies = true
        disclosure.allows = { _, _ in true }
        let logging = LoggingInterceptor(
            level: .trace, disclosure: disclosure, sink: { entry in entries.withLock { $0.append(entry) } },
            requestID: { _ in evil })
        let response = DataResponse(
            statusCode: 200, headers: HeaderFields([.init("Content-Type", "text/plain"), .init("X-\(evil)", evil)]),
            data: Data(evil.utf8))
        _ = try await logging.intercept(limitedRequest(), next: Next { _ in response })
        await expectFailure(.transportFailed) {
            try await logging.intercept(
                limitedRequest(), next: Next { _ in throw ErrandError(.transportFailed, reason: evil) })
        }
        let unwanted: Set<Unicode.GeneralCategory> = [.control, .lineSeparator, .paragraphSeparator, .format]
        #expect(entries.withLock { $0 }.count == 4)
        for entry in entries.withLock({ $0 }) {
            for text in ["\(entry)"] + Array(entry.fields.values) {
                #expect(!text.unicodeScalars.contains { unwanted.contains($0.properties.generalCategory) })
            }
        }
        #expect(entries.withLock { $0 }[1].body == #"a\r\n[1] <- 200\u{1B}[2J\u{2028}\u{202E}\u{85}\u{0}b"#)
    }
}
