import Errand
import TestSupport

/// The replay of a test file of curl with Errand.
struct CurlTestReplay {
    /// The differences between what curl's test expects and what happened; empty if the test passes.
    private(set) var differences: [String] = []

    private let file: CurlTestFile
    private let command: CurlTestCommand
    private let server: CurlTestServer
    private let jar = CookieJar()

    /// Replays a file.
    ///
    /// - Throws: ``CurlTestCommand/Excluded`` if the test is not replayed.
    init(_ bytes: Data, number: Int) async throws {
        // Most files are for other servers, and parsing them takes time.
        guard bytes.range(of: Data("\nhttp\n".utf8)) != nil else {
            throw CurlTestCommand.Excluded("another server than HTTP")
        }
        try Self.check(CurlTestFile(bytes, macros: nil))
        server = try CurlTestServer()
        let variables = [
            "HOSTIP": "127.0.0.1", "CLIENTIP": "127.0.0.1", "HTTPPORT": "\(server.port)", "TESTNUMBER": "\(number)",
            "LOGDIR": "log", "VERSION": "8", "PWD": "/pwd", "FILE_PWD": "/pwd", "DEV_NULL": "/dev/null",
            "SRCDIR": "/src", "NOLISTENPORT": "\(try Loopback.freePort())", "HTTP6PORT": "\(server.port)",
        ]
        let features: Set = ["large-time", "cookies", "crypto", "digest", "libz", "SSL", "proxy", "Mime", "IPv6"]
        do {
            file = try CurlTestFile(bytes, macros: CurlTestMacros(variables: variables, features: features))
        } catch let macro as CurlTestMacros.Unsupported {
            throw CurlTestCommand.Excluded("macro \(macro.macro)")
        }
        command = try CurlTestCommand(file)
        let requests = try command.requests(jar: jar)
        server.play(file)
        var result: Result<DataResponse, any Error>?
        for request in requests { result = await request.start().result }
        compare(try result.orExcluded())
    }

    /// Excludes what needs more than one HTTP server and a command.
    private static func check(_ file: CurlTestFile) throws {
        let servers = file.lines("client", "server")
        if servers != ["http"] { throw CurlTestCommand.Excluded("another server than HTTP") }
        if file["client", "tool"] != nil { throw CurlTestCommand.Excluded("a program with libcurl") }
        for name in ["precheck", "killserver", "postcheck", "disable"] where file["client", name] != nil {
            throw CurlTestCommand.Excluded("section \(name)")
        }
        if file["reply", "postcmd"] != nil { throw CurlTestCommand.Excluded("a server that waits") }
        if file.lines("client", "setenv").contains(where: { !$0.hasPrefix("TZ=") && !$0.hasPrefix("#") }) {
            throw CurlTestCommand.Excluded("environment variables")
        }
        let commands = file.lines("reply", "servercmd").filter { $0 != "connection-monitor" }
        if !commands.isEmpty { throw CurlTestCommand.Excluded("a server that waits or skips") }
    }

    // The comparison.

    private mutating func compare(_ result: Result<DataResponse, any Error>) {
        let code = file.lines("verify", "errorcode").first ?? "0"
        switch result {
        case .success(let response):
            if code == "0" { compare(response) } else { differences.append("curl fails with \(code), Errand not") }
        case .failure(let error):
            let name = Self.name(of: error)
            if code == "0" {
                differences.append("failed: \(name) \((error as? ErrandError)?.reason ?? "")")
            } else if let names = Self.codes[code], !names.contains(name) {
                differences.append("curl fails with \(code), Errand with \(name)")
            }
        }
        compareRequests()
        compareJar()
    }

    /// The errors of Errand for the exit codes of curl.
    private static let codes = [
        "1": ["unsupportedURL", "cannotParseResponse"], "3": ["invalidURL", "redirectToNonExistentLocation"],
        "7": ["cannotConnectToHost"], "8": ["cannotParseResponse"], "18": ["networkConnectionLost"],
        "22": ["unacceptableStatusCode"], "52": ["networkConnectionLost"],
        "61": ["cannotDecodeContentData", "cannotParseResponse"],
        "63": ["dataLengthExceedsMaximum", "cannotParseResponse"],
    ]

    private static let failures: [URLError.Code: String] = [
        .unsupportedURL: "unsupportedURL", .cannotParseResponse: "cannotParseResponse",
        .redirectToNonExistentLocation: "redirectToNonExistentLocation", .cannotConnectToHost: "cannotConnectToHost",
        .networkConnectionLost: "networkConnectionLost", .cannotDecodeContentData: "cannotDecodeContentData",
        .dataLengthExceedsMaximum: "dataLengthExceedsMaximum", .httpTooManyRedirects: "httpTooManyRedirects",
    ]

    private static func name(of error: any Error) -> String {
        guard let error = error as? ErrandError else { return "\(type(of: error))" }
        guard let cause = error.underlyingError as? URLError else { return error.code.rawValue }
        return failures[cause.code] ?? "\(cause.code.rawValue)"
    }

    private mutating func compare(_ response: DataResponse) {
        let played = server.played.last.flatMap { file.response($0) }
        guard let expected = (checkedOutput ?? played).flatMap({ CurlTestMessage.last(in: $0.text) }) else { return }
        if response.statusCode != expected.status {
            differences.append("status \(response.statusCode) instead of \(expected.status)")
        }
        if command.isHead || response.statusCode == 304 || response.statusCode == 204 { return }
        if checkedOutput == nil, played?.attributes["nocheck"] == "yes" { return }
        let isCoded = expected["Transfer-Encoding"] != nil || expected["Content-Encoding"] != nil
        if checkedOutput == nil, isCoded { return }
        let length = checkedOutput == nil ? expected["Content-Length"].flatMap { Int($0) } : nil
        let body = expected.body.latin1
        // curl prints the trailers after the body.
        let trailers = response.trailers.map { "\($0.name): \($0.value)\r\n" }.joined().latin1
        if response.data != (length.map { body.prefix($0) } ?? body), response.data + trailers != body {
            differences.append("body of \(response.data.count) bytes instead of \(body.count)")
        }
    }

    /// What curl prints, if that is the responses and nothing else.
    private var checkedOutput: CurlTestFile.Section? {
        let option = file["client", "command"]?.attributes["option"] ?? ""
        return command.writesOut || option.contains("no-") ? nil : file["reply", "datacheck"]
    }

    private mutating func compareRequests() {
        guard let section = file["verify", "protocol"], section.attributes["nocheck"] != "yes" else { return }
        let expected = CurlTestMessage.requests(in: section.text)
        let received = server.received.map { CurlTestMessage(head: $0.head, body: String(latin1: $0.body)) }
        if received.count != expected.count {
            differences.append("\(received.count) requests instead of \(expected.count)")
        }
        for (one, other) in zip(received, expected) {
            differences += one.differences(from: other, names: command.headers.map(\.name))
        }
    }

    private mutating func compareJar() {
        guard command.keepsCookies,
            let section = file.sections.first(where: {
                $0.parent == "verify" && $0.text.hasPrefix("# Netscape")
            })
        else { return }
        let expected = Set(NetscapeCookie.all(in: section.text).map(\.description))
        let stored = Set(jar.cookies.map { NetscapeCookie($0).description })
        if stored != expected {
            differences.append(
                "cookies: only Errand \(stored.subtracting(expected).sorted()), "
                    + "only curl \(expected.subtracting(stored).sorted())")
        }
    }
}

extension Optional {
    fileprivate func orExcluded() throws -> Wrapped {
        guard let self else { throw CurlTestCommand.Excluded("no URL") }
        return self
    }
}
