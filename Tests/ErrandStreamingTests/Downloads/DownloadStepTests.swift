import TestSupport
import Testing

@testable import Errand

struct `The response to a download` {
    private let point = ResumePoint(count: 5, validator: .entityTag("\"a\""), total: 10)

    private func step(_ status: Int, _ headers: HeaderFields = [:], isResuming: Bool = true) throws -> DownloadStep {
        try DownloadStep(statusCode: status, headers: headers, continuing: isResuming ? point : nil)
    }

    @Test func `a resumed download sends Range and If-Range`() {
        #expect(point.fields["Range"] == "bytes=5-")
        #expect(point.fields["If-Range"] == "\"a\"")
    }

    @Test(arguments: [true, false]) func `a response with status 200 contains the whole file`(_ isResuming: Bool) throws
    {
        let headers: HeaderFields = ["ETag": "\"b\"", "Content-Length": "7"]
        #expect(
            try step(200, headers, isResuming: isResuming)
                == .begin(.init(validator: .entityTag("\"b\""), total: 7, digest: nil)))
    }

    /// Some servers send a part with status 200. Such a response says itself that it is not the file.
    @Test(
        arguments: [
            (["Content-Range": "bytes 5-9/10"], false), (["Content-Range": "bytes 5-9/*"], false),
            (["Content-Range": "bytes 0-4/10"], false), (["Content-Range": "bytes 0-0/10"], false),
            (["Content-Range": "bytes 9-9/10"], false), (["Content-Range": "Bytes 1-9/10"], false),
            (["Content-Range": "bytes 0-4/10", "Content-Length": "5"], false),
            (["Content-Range": "bytes 0-9/10", "Content-Length": "5"], false),
            (["Content-Range": "bytes 5-9/10", "Content-Encoding": "gzip"], false),
            (["Content-Range": "bytes 0-9/10"], true), (["Content-Range": "bytes 0-9/*"], true),
            (["Content-Range": "bytes 0-9/10", "Content-Length": "10"], true),
            // These are not the range of a part.
            (["Content-Range": "bytes */10"], true), (["Content-Range": "items 5-9/10"], true),
            (["Content-Range": "bytes 5-4/10"], true), (["Content-Range": "bytes 5-10/10"], true),
            (["Content-Range": "5-9/10"], true), (["Content-Range": ""], true),
        ] as [([String: String], Bool)], [200, 203])
    func `a response with status 200 that says it is a part is rejected`(
        _ row: (fields: [String: String], isWhole: Bool), _ status: Int
    ) async throws {
        let headers = HeaderFields(row.fields.map { HeaderFields.Field($0.key, $0.value) })
        for isResuming in [true, false] {
            if row.isWhole {
                guard case .begin = try step(status, headers, isResuming: isResuming) else {
                    Issue.record("the file is not stored")
                    continue
                }
            } else {
                await expectFailure(.invalidContentRange) { try step(status, headers, isResuming: isResuming) }
            }
        }
    }

    @Test func `a response cannot be resumed without ranges, after a transformation or if encoded`() throws {
        #expect(
            try step(200, ["ETag": "\"b\"", "Accept-Ranges": "none"]) == .begin(.init(validator: nil, total: nil)))
        #expect(try step(203, ["ETag": "\"b\""]) == .begin(.init(validator: nil, total: nil)))
        let coded: HeaderFields = ["ETag": "\"b\"", "Content-Length": "7", "Content-Encoding": "gzip"]
        #expect(try step(200, coded) == .begin(.init()))
        #expect(try step(200, ["Content-Encoding": "identity", "Content-Length": "7"]) == .begin(.init(total: 7)))
    }

    @Test func `the digest of the whole file is read from the response`() throws {
        let one = FileDigest(.sha256, of: Data("one".utf8))
        let two = FileDigest(.sha256, of: Data("two".utf8))
        let field = { (digest: FileDigest) in "sha-256=:\(digest.bytes.base64EncodedString()):" }
        #expect(try step(200, ["Content-Digest": field(one)]) == .begin(.init(digest: one)))
        #expect(
            try step(200, ["Content-Digest": field(one), "Repr-Digest": field(two)]) == .begin(.init(digest: two)))
        let part: HeaderFields = [
            "Content-Range": "bytes 5-9/10", "Content-Digest": field(one), "Repr-Digest": field(two),
        ]
        #expect(try step(206, part) == .append(.init(count: 5, total: 10, digest: two, contentDigest: one)))
        var known = point
        known.digest = one
        #expect(try DownloadStep(statusCode: 206, headers: part, continuing: known) == .startAgain)
    }

    @Test func `a response with status 206 contains the rest or a part of it`() throws {
        #expect(try step(206, ["Content-Range": "bytes 5-9/10"]) == .append(.init(count: 5, total: 10)))
        #expect(try step(206, ["Content-Range": "bytes 5-6/10"]) == .append(.init(count: 2, total: 10)))
        #expect(try step(206, ["Content-Range": "bytes 5-9/*"]) == .append(.init(count: 5, total: 10)))
        #expect(
            try step(206, ["Content-Range": "bytes 5-9/10", "ETag": "\"a\"", "Content-Length": "5"])
                == .append(.init(count: 5, total: 10)))
    }

    @Test func `a response with status 206 for another file starts the download again`() throws {
        #expect(try step(206, ["Content-Range": "bytes 5-9/10", "ETag": "\"b\""]) == .startAgain)
        #expect(try step(206, ["Content-Range": "bytes 5-9/11"]) == .startAgain)
        #expect(try step(206, ["Content-Range": "bytes 5-9/10", "Content-Encoding": "gzip"]) == .startAgain)
    }

    @Test(arguments: [
        [:], ["Content-Range": "bytes 4-9/10"], ["Content-Range": "bytes 6-9/10"], ["Content-Range": "bytes */10"],
        ["Content-Range": "items 5-9/10"], ["Content-Range": "bytes 5-10/*"],
        ["Content-Range": "bytes 5-9/10", "Content-Length": "6"],
        ["Content-Range": "bytes 5-9/10", "Content-Type": "multipart/byteranges; boundary=x"],
        ["Content-Range": "bytes 5-9/10", "Content-Type": "application/pdf, Multipart/ByteRanges; boundary=x"],
    ])
    func `a response with status 206 for another range is rejected`(_ fields: [String: String]) async {
        let headers = HeaderFields(fields.map { HeaderFields.Field($0.key, $0.value) })
        await expectFailure(.invalidContentRange) { try step(206, headers) }
    }

    @Test func `a response with status 206 without a range request is rejected`() async {
        await expectFailure(.invalidContentRange) {
            try step(206, ["Content-Range": "bytes 0-9/10"], isResuming: false)
        }
    }

    @Test func `a response with status 416 means that the file is complete or has changed`() throws {
        let whole = ResumePoint(count: 10, validator: .entityTag("\"a\""), total: 10)
        func step(_ headers: HeaderFields, _ point: ResumePoint) throws -> DownloadStep {
            try DownloadStep(statusCode: 416, headers: headers, continuing: point)
        }
        #expect(try step(["Content-Range": "bytes */10"], whole) == .complete)
        #expect(
            try step(["Content-Range": "bytes */10"], ResumePoint(count: 10, validator: whole.validator)) == .complete)
        #expect(try step(["Content-Range": "bytes */10", "ETag": "\"b\""], whole) == .startAgain)
        #expect(try step(["Content-Range": "bytes */9"], whole) == .startAgain)
        #expect(try step([:], whole) == .startAgain)
        #expect(try step(["Content-Range": "bytes */5"], point) == .startAgain)
    }

    @Test(arguments: [201, 204, 304, 401, 404, 416, 500])
    func `a response with any other status fails the download`(_ status: Int) async {
        await expectFailure(.unacceptableStatusCode) { try step(status, isResuming: false) }
    }
}
