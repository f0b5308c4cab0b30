import Testing

@testable import Errand

struct `The name of a downloaded file` {
    @Test(
        arguments: [
            ("attachment; filename=\"a b.pdf\"", "https://files.example.com/7", "a b.pdf"),
            ("attachment; filename=\"../x\"", "https://files.example.com/7", "x"),
            ("attachment", "https://files.example.com/docs/caf%C3%A9.pdf?x=1", "café.pdf"),
            (nil, "https://files.example.com/7/", "7"), (nil, "https://files.example.com/", nil),
            (nil, "https://files.example.com", nil), (nil, "https://files.example.com/a%2Fb", "b"), (nil, nil, nil),
        ] as [(String?, String?, String?)])
    func `the suggested file name is taken from Content-Disposition or the URL`(
        _ field: String?, _ url: String?, _ expected: String?
    ) {
        var headers = HeaderFields()
        headers[.contentDisposition] = field
        let file = DownloadedFile(
            url: URL(fileURLWithPath: "/tmp/part"), byteCount: 1, resumedByteCount: 0, verifiedDigests: [],
            statusCode: 200,
            headers: headers, responseURL: url.flatMap { URL(string: $0) })
        #expect(file.suggestedFilename == expected)
    }
}
