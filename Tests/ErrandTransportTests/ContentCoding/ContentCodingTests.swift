import Testing

@testable import Errand

struct `A list of content codings` {
    @Test(
        arguments: [
            ("gzip", [.gzip]), ("X-GZip", [.gzip]), (" deflate ", [.deflate]), ("br", [.brotli]),
            ("zstd", [.zstandard]),
            ("gzip, gzip", [.gzip, .gzip]), ("deflate,gzip", [.deflate, .gzip]), ("gzip\t,\tBR", [.gzip, .brotli]),
            ("gzip,", [.gzip]), (",gzip", [.gzip]), (", ,gzip, ,", [.gzip]), ("gzip, identity", [.gzip]),
            ("identity, x-gzip", [.gzip]), ("identity,deflate,identity,gzip,", [.deflate, .gzip]),
            ("gzip,,gzip,gzip,,gzip,gzip,", [.gzip, .gzip, .gzip, .gzip, .gzip]),
            ("", []), (",", []), ("identity", []), ("Identity, identity", []),
            // A single unknown coding is left to the caller.
            ("sdch", []), ("compress,", []), ("identity, lzma", []), ("gzip;q=1", []),
        ] as [(String, [ContentCoding])])
    func `codings are read in the order in which they were applied`(
        _ field: String, _ codings: [ContentCoding]
    ) throws {
        #expect(try ContentCoding.list(field) == codings)
    }

    @Test(arguments: [
        "sdch, gzip", "gzip, sdch", "gzip, compress", "aws-chunked,gzip", "sdch, lzma", "gzip gzip, gzip",
        "gzip, gzip, gzip, gzip, gzip, gzip", "gzip,,gzip,gzip,,gzip,gzip,br",
    ])
    func `several codings of which one is unknown, and more than five, are rejected`(_ field: String) {
        #expect(throws: URLError(.cannotDecodeContentData)) { try ContentCoding.list(field) }
    }
}
