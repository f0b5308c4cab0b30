import Errand
import TestSupport

/// Responses that only a hostile or broken server sends.
///
/// The guide Proof lists the tests of other hostile data: WebSocket frames, events, documents, and header fields
/// for caches and retries.
enum HostileResponse: String, CaseIterable, Sendable {
    // The head as a whole.
    case endlessHead, endlessLine, aHundredThousandFields, endlessInterimResponses, aCookieOfAMebibyte, noHeadAtAll,
        noise
    // The status line.
    case status000, status999, status99999, statusBelowZero, statusOfManyDigits, statusOfManyDigitsInHTTP2, version9
    case versionOfManyDigits, lowerCaseVersion
    // The lines of the head.
    case nullInAField, nullInTheStatusLine, bareReturnInAField, returnBeforeAField, returnsBeforeTheEnd
    case foldedField, foldedFirstField, fieldWithoutColon
    case spaceBeforeTheColon, nothingBeforeTheColon
    // The length of the body.
    case lengthBelowZero, lengthOfManyDigits, lengthOfNoDigits, lengthWithASign, lengthsThatDiffer, lengthBesideChunks
    case moreThanItsLength, unknownTransferCoding, endlessBody
    // Chunks.
    case chunkSizeOfManyDigits, chunkSizeBelowZero, chunkSizeOfNoDigits, chunkWithoutItsEnd, chunksWithoutAnEnd
    case endlessChunkExtension, endlessTrailers
    // Codings.
    case noiseForGzip, tenCodings, codingOfManyNames
    // Responses that do not match the request.
    case bodyBehind204, bodyBehind304, unaskedUpgrade, upgradeWithoutEnd, unaskedPart, nonsenseForARange, alertOfTLS
    case responseBeforeTheRequest, challengeForAProxy
    // The targets of redirects.
    case locationWithReturns, locationWithoutAHost, locationOfAnotherScheme, locationOfASocket, locationWithAPortTooHigh
    case locationOfAMebibyte, locationsThatDiffer, locationTwice

    /// The bytes that a server sends.
    struct Script {
        /// The bytes that are sent once.
        var bytes: Data
        /// The bytes that follow repeatedly.
        var refrain = Data()
        /// Whether the server then closes the connection; otherwise the client must.
        var closes = true

        init(_ text: String, endless refrain: String = "", closes: Bool = true) {
            bytes = Data(text.utf8)
            self.refrain = Data(refrain.utf8)
            self.closes = closes
        }
    }

    var script: Script {
        switch self {
        case .endlessHead: Script(Self.ok, endless: String(repeating: "X-Field: value\r\n", count: 1_000))
        case .endlessLine: Script(Self.ok + "X-Field: ", endless: String(repeating: "x", count: 16_384))
        case .aHundredThousandFields: response(with: String(repeating: "X-Field: value\r\n", count: 100_000))
        case .endlessInterimResponses:
            Script("", endless: String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", count: 500))
        case .aCookieOfAMebibyte: response(with: "Set-Cookie: id=" + String(repeating: "x", count: 1 << 20) + "\r\n")
        case .noHeadAtAll: Script("<html>hello</html>")
        case .noise: Script(String(repeating: "\u{0}\u{1}\u{7F}\u{FFFD}", count: 10_000))
        case .status000: Script("HTTP/1.1 000 x\r\n\(Self.hello)")
        case .status999: Script("HTTP/1.1 999 x\r\n\(Self.hello)")
        case .status99999: Script("HTTP/1.1 99999 x\r\n\(Self.hello)")
        case .statusBelowZero: Script("HTTP/1.1 -20 x\r\n\(Self.hello)")
        case .statusOfManyDigits: Script("HTTP/1.1 \(Self.manyDigits) x\r\n\(Self.hello)")
        case .statusOfManyDigitsInHTTP2: Script("HTTP/2 \(Self.manyDigits) x\r\n\(Self.hello)")
        case .version9: Script("HTTP/9.9 200 OK\r\n\(Self.hello)")
        case .versionOfManyDigits: Script("HTTP/\(Self.manyDigits).1 200 OK\r\n\(Self.hello)")
        case .lowerCaseVersion: Script("http/1.1 200 OK\r\n\(Self.hello)")
        case .nullInAField: response(with: "X-Field: one\u{0}two\r\n")
        case .nullInTheStatusLine: Script("HTTP/1.1 200 O\u{0}K\r\n\(Self.hello)")
        case .bareReturnInAField: response(with: "X-Field: one\rX-Other: two\r\n")
        case .returnBeforeAField: Script(Self.ok + "Content-Length: 5\r\n\rX-Other: two\r\nhello")
        case .returnsBeforeTheEnd: Script(Self.ok + "Content-Length: 5\r\n\r\r\nhello")
        case .foldedField: response(with: "X-Field: one\r\n\ttwo\r\n")
        case .foldedFirstField: Script(Self.ok + " X-Field: one\r\n\(Self.hello)")
        case .fieldWithoutColon: response(with: "X-Field\r\n")
        case .spaceBeforeTheColon: Script(Self.ok + "Content-Length : 5\r\n\r\nhellomore")
        case .nothingBeforeTheColon: response(with: ": one\r\n")
        case .lengthBelowZero: Script(Self.ok + "Content-Length: -5\r\n\r\nhello")
        case .lengthOfManyDigits: Script(Self.ok + "Content-Length: \(Self.manyDigits)\r\n\r\nhello")
        case .lengthOfNoDigits: Script(Self.ok + "Content-Length: 5x\r\n\r\nhello")
        case .lengthWithASign: Script(Self.ok + "Content-Length: +5\r\n\r\nhello")
        case .lengthsThatDiffer: Script(Self.ok + "Content-Length: 5\r\nContent-Length: 9\r\n\r\nhellomore")
        case .lengthBesideChunks: chunked("5\r\nhello\r\n0\r\n\r\n", fields: "Content-Length: 3\r\n")
        case .moreThanItsLength: Script(Self.ok + "Content-Length: 5\r\n\r\nhello" + Self.ok + Self.hello)
        case .unknownTransferCoding: Script(Self.ok + "Transfer-Encoding: rot13\r\n\r\nhello")
        case .endlessBody: Script(Self.ok + "\r\n", endless: String(repeating: "x", count: 16_384))
        case .chunkSizeOfManyDigits: chunked("fffffffffffffffff\r\nhello\r\n0\r\n\r\n")
        case .chunkSizeBelowZero: chunked("-5\r\nhello\r\n0\r\n\r\n")
        case .chunkSizeOfNoDigits: chunked("five\r\nhello\r\n0\r\n\r\n".replacingOccurrences(of: "f", with: "z"))
        case .chunkWithoutItsEnd: chunked("5\r\nhellomore\r\n0\r\n\r\n")
        case .chunksWithoutAnEnd: chunked("5\r\nhello\r\n")
        case .endlessChunkExtension: chunked("5;", endless: String(repeating: "x", count: 16_384))
        case .endlessTrailers:
            chunked("5\r\nhello\r\n0\r\n", endless: String(repeating: "X-Field: x\r\n", count: 1_000))
        case .noiseForGzip: response(with: "Content-Encoding: gzip\r\n")
        case .tenCodings:
            response(with: "Content-Encoding: \(Array(repeating: "gzip", count: 10).joined(separator: ", "))\r\n")
        case .codingOfManyNames:
            response(with: "Content-Encoding: \(Array(repeating: "x", count: 30_000).joined(separator: ","))\r\n")
        case .bodyBehind204: Script("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello")
        case .bodyBehind304: Script("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nhello")
        case .unaskedUpgrade:
            Script("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nhello")
        case .upgradeWithoutEnd:
            Script("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n" + Self.ok + Self.hello, closes: false)
        case .unaskedPart: Script("HTTP/1.1 206 x\r\nContent-Range: bytes 5-9/10\r\n\(Self.hello)")
        case .nonsenseForARange:
            Script("HTTP/1.1 206 x\r\nContent-Range: bytes 9-\(Self.manyDigits)/-1\r\n\(Self.hello)")
        case .alertOfTLS: Script("\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{28}")
        case .responseBeforeTheRequest: response(with: "")
        case .challengeForAProxy: Script("HTTP/1.1 407 x\r\nProxy-Authenticate: Digest realm=\"\r\n\(Self.hello)")
        case .locationWithReturns: redirect("/to\rX-Field: one\u{0}two")
        case .locationWithoutAHost: redirect("http://")
        case .locationOfAnotherScheme: redirect("gopher://127.0.0.1:1/_x")
        case .locationOfASocket: redirect("unix:///var/run/x.sock")
        case .locationWithAPortTooHigh: redirect("http://127.0.0.1:99999/")
        case .locationsThatDiffer: redirect("/a\r\nLocation: /b")
        case .locationTwice: redirect("/\r\nLocation: /")
        case .locationOfAMebibyte: redirect("/" + String(repeating: "x", count: 1 << 20))
        }
    }

    /// Whether only the idle timeout ends the response: `URLSession` on Linux skips a chunk extension of any length,
    /// and stores none of it.
    func isEndedByTime(over transport: TransportUnderTest) -> Bool {
        self == .endlessChunkExtension && transport != .curl
    }

    /// The reason why the case is not run over `URLSession` on Linux; `nil` if it is run.
    var limitOfURLSession: KnownLimit? {
        switch self {
        case .endlessHead, .aHundredThousandFields, .endlessInterimResponses: .endlessHead
        case .endlessTrailers: .trailers
        case .upgradeWithoutEnd: .switchedProtocols
        default: nil
        }
    }

    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let hello = "Content-Length: 5\r\n\r\nhello"
    private static let manyDigits = String(repeating: "9", count: 40)

    private func response(with fields: String) -> Script { Script(Self.ok + fields + Self.hello) }

    private func chunked(_ chunks: String, fields: String = "", endless refrain: String = "") -> Script {
        Script(Self.ok + fields + "Transfer-Encoding: chunked\r\n\r\n" + chunks, endless: refrain)
    }

    private func redirect(_ location: String) -> Script {
        Script("HTTP/1.1 302 Found\r\nLocation: \(location)\r\n\(Self.hello)")
    }
}
