import Errand
import TestSupport
import Testing

struct `Text` {
    @Test(
        arguments: [
            (nil, [0x63, 0xC3, 0xA9]), ("text/plain", [0x63, 0xC3, 0xA9]), ("application/json", [0x63, 0xC3, 0xA9]),
            ("text/plain; charset=utf-8", [0x63, 0xC3, 0xA9]), ("text/plain;CHARSET=\"UTF-8\"", [0x63, 0xC3, 0xA9]),
            ("text/plain; charset=utf-8", [0xEF, 0xBB, 0xBF, 0x63, 0xC3, 0xA9]),
            ("text/html; charset=ISO-8859-1", [0x63, 0xE9]), ("text/html; charset=windows-1252", [0x63, 0xE9]),
            ("text/plain; charset=utf-16le", [0x63, 0, 0xE9, 0]), ("text/plain; charset=utf-16be", [0, 0x63, 0, 0xE9]),
            ("text/plain; charset=utf-16", [0, 0x63, 0, 0xE9]),
            ("text/plain; charset=utf-32", [0xFF, 0xFE, 0, 0, 0x63, 0, 0, 0, 0xE9, 0, 0, 0]),
            ("text/plain; charset=utf-16", [0xFE, 0xFF, 0, 0x63, 0, 0xE9]),
            ("text/plain; charset=utf-16", [0xFF, 0xFE, 0x63, 0, 0xE9, 0]),
        ] as [(String?, [UInt8])])
    func `text is decoded with the charset of the response`(_ type: String?, _ bytes: [UInt8]) async throws {
        #expect(try await response(type, bytes).decodeText().value == "c\u{E9}")
    }

    @Test(
        arguments: [
            ("text/plain; charset=klingon", [0x61]), ("text/plain", [0xC3]),
            ("text/plain; charset=utf-8", [0x61, 0xE9]),
            ("text/plain; charset=us-ascii", [0x61, 0xE9]), ("text/plain; charset=utf-16le", [0x61]),
            ("text/plain; charset=utf-16", [0xD8, 0, 0, 0x61]), ("text/plain; charset=utf-32be", [0, 0, 0, 0x61, 0]),
        ] as [(String, [UInt8])])
    func `text that is invalid in its charset fails with an error that does not quote it`(
        _ type: String, _ bytes: [UInt8]
    ) async throws {
        let error = try #require(
            await expectFailure(.decodingFailed) { try await response(type, bytes).decodeText().value })
        #expect(error.statusCode == 200)
        #expect(error.bodyPrefix == Data(bytes))
        #expect(!"\(error)".contains("klingon"))
    }

    @Test(
        arguments: [
            (nil, [0xEF, 0xBB, 0xBF], [0x61]), ("text/plain; charset=utf-8", [0xEF, 0xBB, 0xBF], [0x61]),
            ("text/plain; charset=utf-16", [0xFE, 0xFF], [0, 0x61]),
            ("text/plain; charset=utf-16", [0xFF, 0xFE], [0x61, 0]),
            ("text/plain; charset=utf-32", [0, 0, 0xFE, 0xFF], [0, 0, 0, 0x61]),
            ("text/plain; charset=utf-32", [0xFF, 0xFE, 0, 0], [0x61, 0, 0, 0]),
        ] as [(String?, [UInt8], [UInt8])])
    func `only the first byte order mark of a text is removed`(
        _ type: String?, _ mark: [UInt8], _ letter: [UInt8]
    ) async throws {
        for count in 0...3 {
            // Without a mark, UTF-16 and UTF-32 are big-endian.
            if count == 0, mark[0] == 0xFF { continue }
            let marks = [[UInt8]](repeating: mark, count: count).flatMap(\.self)
            let text = try await response(type, marks + letter + mark).decodeText().value
            let expected = String(repeating: "\u{FEFF}", count: max(count - 1, 0)) + "a\u{FEFF}"
            #expect(text.unicodeScalars.elementsEqual(expected.unicodeScalars), "\(count)")
        }
    }

    @Test(
        arguments: [("utf-16le", [0xFF, 0xFE, 0x61, 0]), ("utf-16be", [0xFE, 0xFF, 0, 0x61])] as [(String, [UInt8])])
    func `a charset that names its byte order keeps a mark`(_ charset: String, _ bytes: [UInt8]) async throws {
        let text = try await response("text/plain; charset=\(charset)", bytes).decodeText().value
        #expect(text.unicodeScalars.elementsEqual("\u{FEFF}a".unicodeScalars))
    }

    @Test func `text of an empty body is empty`() async throws {
        #expect(try await response(nil, []).decodeText().value == "")
    }

    @Test func `decodeVoid ignores any body`() async throws {
        try await response("text/plain; charset=klingon", [0xC3]).decodeVoid().value
        let failed = Pipeline<DataResponse, any Error>.just(DataResponse(statusCode: 500))
            .validateStatusCode(in: 200..<300).decodeVoid()
        await expectFailure(.unacceptableStatusCode) { try await failed.value }
    }

    private func response(_ type: String?, _ bytes: [UInt8]) -> Pipeline<DataResponse, any Error> {
        let headers: HeaderFields = type.map { ["Content-Type": $0] } ?? [:]
        return .just(DataResponse(statusCode: 200, headers: headers, data: Data(bytes)))
    }
}
