import Foundation
import TestSupport
import Testing

@testable import Errand

struct `A digest of a file` {
    private let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    @Test func `a digest is parsed from uppercase and lowercase hexadecimal digits`() throws {
        let digest = try FileDigest(.sha256, hex: abc)
        #expect(digest == FileDigest(.sha256, of: Data("abc".utf8)))
        #expect(try FileDigest(.sha256, hex: abc.uppercased()) == digest)
        #expect("\(digest)" == "sha-256 \(abc)" && digest.hex == abc)
        #expect(FileDigest(.sha512, of: Data("abc".utf8)).bytes.count == 64)
    }

    @Test(arguments: ["", "ab", "a", "zz", String(repeating: "é", count: 32), String(repeating: "f", count: 65)])
    func `an invalid hexadecimal digest is rejected`(_ hex: String) async {
        await expectFailure(.invalidDigest) { try FileDigest(.sha256, hex: hex) }
    }

    @Test func `a digest with the length of another algorithm is rejected`() async {
        await expectFailure(.invalidDigest) { try FileDigest(.sha512, hex: abc) }
    }
}

struct `The digest fields of a response` {
    private let data = Data("hello".utf8)

    private func field(_ algorithm: FileDigest.Algorithm, _ data: Data) -> String {
        "\(algorithm.rawValue)=:\(FileDigest(algorithm, of: data).bytes.base64EncodedString()):"
    }

    @Test func `digest header fields use the strongest known algorithm`() {
        let both = "md5=:XrY7u+Ae7tCTyyK7j1rNww==:, \(field(.sha256, data)), \(field(.sha512, data));note=1"
        let headers: HeaderFields = ["Repr-Digest": both, "Content-Digest": field(.sha256, Data())]
        #expect(headers.representationDigest == FileDigest(.sha512, of: data))
        #expect(headers.contentDigest == FileDigest(.sha256, of: Data()))
    }

    @Test func `a digest header field can be split over several lines`() {
        var headers = HeaderFields()
        headers.add("Repr-Digest", "unixsum=30637")
        headers.add("Repr-Digest", field(.sha256, data))
        #expect(headers.representationDigest == FileDigest(.sha256, of: data))
    }

    @Test(arguments: [
        "", "md5=:XrY7u+Ae7tCTyyK7j1rNww==:", "sha-256=:AAAA:", "sha-256=abc", "sha-256", "SHA-256=:QQ==:", "sha-256=:",
    ])
    func `a digest header field that is unknown or malformed is ignored`(_ field: String) {
        let headers: HeaderFields = ["Repr-Digest": field]
        #expect(headers.representationDigest == nil)
    }
}

struct `A structured dictionary` {
    @Test func `a structured dictionary keeps the last value of a repeated name`() throws {
        let dictionary = try #require(StructuredDictionary("a=1, b=:aGk=:;x=2 ,\tc, a=2, d=\"x\""))
        #expect(dictionary.values == ["a": .integer(2), "b": .bytes(Data("hi".utf8)), "c": .other, "d": .text("x")])
        #expect(StructuredDictionary("a=:aGk:")?.values == ["a": .bytes(Data("hi".utf8))])
        #expect(StructuredDictionary("")?.values == [:])
    }

    @Test(arguments: ["a=", "a=1,", ",a", "A=1", "a=(1 2)", "a=1 b=2", "a=:a:", "=1"])
    func `a malformed structured dictionary is rejected as a whole`(_ text: String) {
        #expect(StructuredDictionary(text) == nil)
    }
}
