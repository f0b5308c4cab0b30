import Errand
import TestSupport
import Testing

struct `A media type` {
    @Test(arguments: [
        ("application/json", "application/json"),
        ("Application/JSON", "application/json"),
        (" text/html\t", "text/html"),
        ("text/html;charset=utf-8", "text/html; charset=utf-8"),
        ("text/html ;\tCharset=\"UTF-8\" ; Level=1", "text/html; charset=UTF-8; level=1"),
        ("text/html;;charset=utf-8;", "text/html; charset=utf-8"),
        (#"a/b; t="x;\"y\\"; u="""#, #"a/b; t="x;\"y\\"; u="""#),
        ("a/b; t=\"ä \t\"", "a/b; t=\"ä \t\""),
        ("a/b; t=\"\\\"\u{301}\\\\\u{301}\"", "a/b; t=\"\\\"\u{301}\\\\\u{301}\""),
        ("*/*", "*/*"), ("application/*;q=0.5", "application/*; q=0.5"),
        ("application/vnd.api+json", "application/vnd.api+json"),
    ])
    func `a media type is parsed, and written so that it is parsed as the same type`(
        _ text: String, _ written: String
    ) throws {
        let type = try #require(ContentType(text))
        #expect(type.isValid)
        #expect(type.description == written)
        #expect(ContentType(written) == type)
        #expect(type == ContentType(stringLiteral: text))
    }

    @Test(arguments: [
        "", "json", "/", "//x", "//", "a/", "/b", "a/b/c", "a b/c", "a/b c", "a / b", "a/b;c", "a/b;c=", "a/b;c =d",
        "a/b;=d",
        "a/b;c= d", "a/b;c=d e", "a/b;c=\"d", "a/b;c=\"d\\\"", "a/b;c=\"d\"e", "a/b;c=\"d\\", "a/b\r\n", "a/b;c=\"\n\"",
        "a/b;c=\"\\\u{7F}\"", "a/b,c/d", "ä/b", "a/b;c=ä", "a/b;c=d;C=e",
    ])
    func `a malformed media type is invalid`(_ text: String) {
        #expect(ContentType(text) == nil)
        let literal = ContentType(stringLiteral: text)
        #expect(!literal.isValid)
        #expect(literal.description == text)
        #expect(literal.type.isEmpty && literal.subtype.isEmpty)
        #expect(!literal.includes(literal) && !literal.includes(.json) && !ContentType.any.includes(literal))
        #expect(literal.with("charset", "utf-8") == nil)
        #expect(literal.with(quality: 0.5) == literal)
    }

    @Test func `a media type has a type, a subtype and parameters in order`() throws {
        let type: ContentType = "Multipart/Mixed; B=1; a=2; c=3"
        #expect(type.type == "multipart")
        #expect(type.subtype == "mixed")
        #expect(type.essence == "multipart/mixed")
        #expect(type.parameters.map(\.name) == ["b", "a", "c"])
        #expect(type["B"] == "1")
        #expect(type["d"] == nil)
        #expect(try #require(type.with("B", "4")).description == "multipart/mixed; a=2; c=3; b=4")
        #expect(type.with("b c", "4") == nil)
        #expect(type.with("b", "4\r\n") == nil)
        #expect(ContentType.json != "application/json; charset=utf-8")
    }

    @Test func `a media range includes the media types that match it`() {
        #expect(ContentType.any.includes(.png))
        let images: ContentType = "image/*"
        #expect(images.includes(.png))
        #expect(!images.includes(.html))
        #expect(ContentType.json.includes("application/json; charset=utf-8"))
        #expect(!ContentType.json.includes(.problemJSON))
        #expect(!ContentType.png.includes("image/*"))
    }

    @Test(arguments: [
        ("a/b", 1), ("a/b;q=1", 1), ("a/b;q=1.000", 1), ("a/b;q=0", 0), ("a/b;Q=0.25", 0.25), ("a/b;q=0.", 0),
        ("a/b;q=0.001", 0.001),
        // No weights.
        ("a/b;q=1.001", 1), ("a/b;q=2", 1), ("a/b;q=-1", 1), ("a/b;q=0.1234", 1), ("a/b;q=.5", 1), ("a/b;q=x", 1),
        ("a/b;q=\"\"", 1), ("a/b;q=0x1", 1),
    ])
    func `the quality of a media type is parsed from its q parameter`(_ text: String, _ quality: Double) throws {
        #expect(try #require(ContentType(text)).quality == quality)
    }

    @Test(arguments: [
        (0.5, "a/b; q=0.5"), (0, "a/b; q=0"), (1, "a/b"), (0.1234, "a/b; q=0.123"), (0.9999, "a/b"),
        (0.05, "a/b; q=0.05"),
        (-3, "a/b; q=0"), (7, "a/b"), (Double.infinity, "a/b"), (-Double.infinity, "a/b; q=0"), (Double.nan, "a/b"),
        (0.001, "a/b; q=0.001"), (1e-9, "a/b; q=0"),
    ])
    func `with(quality:) replaces the quality of a media type`(_ quality: Double, _ written: String) {
        let type: ContentType = "a/b; q=0.7"
        #expect(type.with(quality: quality).description == written)
    }

    @Test func `an Accept value lists the valid media types in order`() {
        let html: ContentType = "text/html; level=1"
        #expect(
            ContentType.accept(.json, html.with(quality: 0.8), "nonsense", .any.with(quality: 0.1))
                == "application/json, text/html; level=1; q=0.8, */*; q=0.1")
        let types: [ContentType] = [.json, "nonsense", .csv]
        #expect(ContentType.accept(types) == "application/json, text/csv")
    }

    @Test(
        arguments: [
            ("utf-8", .utf8), ("UTF-8", .utf8), ("\"Utf-8\"", .utf8), ("us-ascii", .ascii),
            ("ISO-8859-1", .isoLatin1), ("latin1", .isoLatin1), ("windows-1252", .windowsCP1252),
            ("utf-16le", .utf16LittleEndian), ("Shift_JIS", .shiftJIS), ("x-nonsense", nil),
            ("'utf-8'", .utf8), ("\"'UTF-8'\"", .utf8), ("\"' utf-8 '\"", .utf8), ("'latin1'", .isoLatin1), ("''", nil),
            ("'", nil), ("'utf-8", nil), ("\"''utf-8''\"", nil), ("'x-nonsense'", nil),
            ("unicode-1-1-utf-8", .utf8), ("X-Unicode20UTF8", .utf8), ("iso8859-1", .isoLatin1),
            ("\"ISO_8859-1:1987\"", .isoLatin1), ("iso88592", .isoLatin2), ("cp1250", .windowsCP1250),
            ("x-cp1251", .windowsCP1251), ("cp1252", .windowsCP1252), ("cp1253", .windowsCP1253),
            ("iso-8859-9", .windowsCP1254), ("x-sjis", .shiftJIS), ("windows-31j", .shiftJIS), ("MS932", .shiftJIS),
            ("x-mac-roman", .macOSRoman), ("unicode", .utf16LittleEndian), ("unicodeFFFE", .utf16BigEndian),
        ] as [(String, String.Encoding?)])
    func `the charset parameter of a media type determines the text encoding`(
        _ charset: String, _ encoding: String.Encoding?
    ) throws {
        #expect(try #require(ContentType("text/plain; Charset=" + charset)).charset == encoding)
    }

    @Test func `a media type without a charset has no encoding, and known charsets can be decoded`() throws {
        #expect(ContentType.plainText.charset == nil)
        let names = [
            "utf-8", "us-ascii", "iso-8859-1", "iso-8859-2", "windows-1251", "utf-16", "utf-32be", "shift_jis",
            "iso-2022-jp", "macintosh",
        ]
        for name in names {
            let encoding = try #require(ContentType("text/plain; charset=" + name)?.charset)
            let bytes = try #require("Hello".data(using: encoding))
            #expect(String(data: bytes, encoding: encoding) == "Hello")
        }
    }

    @Test(arguments: [
        (ContentType.json, "application/json"), (.problemJSON, "application/problem+json"),
        (.formURLEncoded, "application/x-www-form-urlencoded"), (.multipartFormData, "multipart/form-data"),
        (.plainText, "text/plain"), (.html, "text/html"), (.octetStream, "application/octet-stream"),
        (.png, "image/png"), (.jpeg, "image/jpeg"), (.eventStream, "text/event-stream"),
        (.ndjson, "application/x-ndjson"), (.any, "*/*"),
    ])
    func `media type constants have their registered names`(_ type: ContentType, _ name: String) {
        #expect(type.isValid)
        #expect(type.description == name)
    }

    @Test(arguments: [
        ("/tmp/a.JSON", ContentType.json), ("/a/b.jpeg", .jpeg), ("/a.tar.gz", .gzip), ("/a", .octetStream),
        ("/a.xyz", .octetStream), ("/json", .octetStream),
    ])
    func `a media type is guessed from a file name extension`(_ path: String, _ type: ContentType) {
        #expect(ContentType.guessed(for: URL(fileURLWithPath: path)) == type)
    }
}

struct `The content type of a head` {
    @Test(
        arguments: [
            ("text/html; charset=utf-8", "text/html; charset=utf-8"), ("text/html; charset", "text/html"),
            ("text / HTML", "text/html"), ("nonsense", nil), ("//x", nil), ("/", nil),
        ] as [(String, ContentType?)])
    func `a Content-Type field is parsed as servers write it`(_ field: String, _ type: ContentType?) {
        let headers: HeaderFields = ["content-type": field]
        #expect(headers.contentType == type)
    }

    @Test func `a malformed parameter of a Content-Type does not discard the others`() throws {
        let headers: HeaderFields = ["Content-Type": "text/html; level; charset=utf-8; x=\u{7F}; boundary=\"a b\""]
        let type = try #require(headers.contentType)
        #expect(type == "text/html; charset=utf-8; boundary=\"a b\"")
        #expect(type.charset == .utf8)
    }

    /// The cases of web-platform-tests, `mimesniff/mime-types`, with names of encodings that Foundation has everywhere.
    @Test(
        arguments: [
            ("text/html;charset=utf-8", "text/html; charset=utf-8", .utf8),
            ("TEXT/HTML;CHARSET=UTF-8", "text/html; charset=UTF-8", .utf8),
            ("text/html;charset=utf-8(", "text/html; charset=\"utf-8(\"", nil),
            ("text/html;x=(;charset=utf-8", "text/html; x=\"(\"; charset=utf-8", .utf8),
            ("text/html;charset=utf-8;charset=latin1", "text/html; charset=utf-8", .utf8),
            ("text/html;charset =utf-8", "text/html", nil),
            ("text/html ;charset=utf-8", "text/html; charset=utf-8", .utf8),
            ("text/html; charset=utf-8", "text/html; charset=utf-8", .utf8),
            ("text/html;charset= utf-8", "text/html; charset=\" utf-8\"", .utf8),
            ("text/html;charset='utf-8'", "text/html; charset='utf-8'", .utf8),
            ("text/html;charset=utf-8'", "text/html; charset=utf-8'", nil),
            ("text/html;test;charset=utf-8", "text/html; charset=utf-8", .utf8),
            ("text/html;test=;charset=utf-8", "text/html; charset=utf-8", .utf8),
            ("text/html;';charset=utf-8", "text/html; charset=utf-8", .utf8),
            ("text/html;\";charset=utf-8", "text/html; charset=utf-8", .utf8),
            ("text/html ; ; charset=utf-8", "text/html; charset=utf-8", .utf8),
            ("text/html;;;;charset=utf-8", "text/html; charset=utf-8", .utf8),
            ("text/html;charset=\"utf-8\"", "text/html; charset=utf-8", .utf8),
            ("text/html;charset=\"utf-8", "text/html; charset=utf-8", .utf8),
            ("text/html;charset=utf-8\"", "text/html; charset=\"utf-8\\\"\"", nil),
            ("text/html;charset=\" utf-8\"", "text/html; charset=\" utf-8\"", .utf8),
            ("text/html;charset=\"\\ utf-8\"", "text/html; charset=\" utf-8\"", .utf8),
            ("text/html;charset=\"\\u\\t\\f-8\"", "text/html; charset=utf-8", .utf8),
            ("text/html;charset=\"utf-8\"x", "text/html; charset=utf-8", .utf8),
            ("text/html;charset={utf-8}", "text/html; charset=\"{utf-8}\"", nil),
            ("x/x;test", "x/x", nil), ("x/x;test=\"\\", "x/x; test=\"\\\\\"", nil),
            ("text/html;test=\u{FF};charset=utf-8", "text/html; test=\"\u{FF}\"; charset=utf-8", .utf8),
            ("", nil, nil), ("\t", nil, nil), ("bogus", nil, nil), ("bogus/", nil, nil), ("bogus/ ", nil, nil),
            ("bogus/bogus/;", nil, nil), ("</>", nil, nil), ("(/)", nil, nil), ("{/}", nil, nil),
            ("text/html(;doesnot=matter", nil, nil), ("\u{100}/\u{100}", nil, nil),
        ] as [(String, String?, String.Encoding?)])
    func `a Content-Type field is parsed as browsers parse it`(
        _ field: String, _ written: String?, _ charset: String.Encoding?
    ) {
        let headers: HeaderFields = ["Content-Type": field]
        #expect(headers.contentType?.description == written)
        #expect(headers.contentType?.charset == charset)
    }

    @Test func `the last of repeated Content-Type fields is used`() {
        let headers: HeaderFields = [.contentType: "text/html", .contentType: "text/csv"]
        #expect(headers.contentType == .csv)
        #expect(HeaderFields().contentType == nil)
    }

    /// Lists, of which most are cases of web-platform-tests, `fetch/content-type/resources/content-types.json`.
    @Test(
        arguments: [
            ("text/html, text/csv", "text/csv"), (", text/plain", "text/plain"), ("text/plain,", "text/plain"),
            ("text/plain, , ,", "text/plain"), ("text/html;x=\",text/plain", "text/html; x=\",text/plain\""),
            ("text/html;x=\", text/plain; x=\"", "text/html; x=\", text/plain; x=\""),
            ("text/html;x=\"a\\\", b\", text/csv", "text/csv"), ("text/html, nonsense", "text/html"),
            ("text/html, */*", "text/html"), ("*/*, text/html", "text/html"), ("text/html;\", text/plain", "text/html"),
            ("text/html;charset=gbk, text/plain", "text/plain"), ("text/html;\", \", text/plain", "text/plain"),
            ("text/html;charset=gbk, text/html;charset=utf-8", "text/html; charset=utf-8"),
            ("text/html;charset=utf-8, text/html", "text/html; charset=utf-8"),
            ("text/plain;charset=utf-8, text/html, text/html", "text/html"),
            ("text/html;charset=utf-8, text/plain, text/html", "text/html"),
            ("text/html;charset=utf-8, text/html;x=1, text/html", "text/html; charset=utf-8"),
            ("text/html;charset=utf-8, nonsense, text/html;x=1", "text/html; x=1; charset=utf-8"),
            ("text/plain; charset=utf-8,", "text/plain; charset=utf-8"), (",", nil), ("nonsense, */*", nil),
            ("text/event-stream, text/event-stream;charset=utf-8", "text/event-stream; charset=utf-8"),
            ("multipart/mixed; boundary=a, multipart/mixed; boundary=\"b, c\"", "multipart/mixed; boundary=\"b, c\""),
            ("application/json, application/json", "application/json"), ("text/html\t,\ttext/csv\t", "text/csv"),
        ] as [(String, String?)])
    func `the last valid type of a list is used, with the charset of an equal type before it`(
        _ field: String, _ written: String?
    ) {
        let headers: HeaderFields = ["Content-Type": field]
        #expect(headers.contentType?.description == written)
        // Two fields are the same as a list.
        let parts = field.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let fields = HeaderFields(parts.map { HeaderFields.Field("Content-Type", $0) })
        if !parts[0].contains("\"") { #expect(fields.contentType?.description == written) }
    }

    @Test func `hasContentType accepts constants and literals`() async throws {
        let response = DataResponse(
            statusCode: 200, headers: [.contentType: "application/problem+json; x"], data: Data("{}".utf8))
        let pipeline = Pipeline<DataResponse, any Error>.just(response)
        #expect(try await pipeline.hasContentType(.json, .problemJSON).value.statusCode == 200)
        #expect(try await pipeline.hasContentType("text/csv", .any).value.statusCode == 200)
        let error = await expectFailure(.unacceptableContentType) {
            try await pipeline.hasContentType(.json, "text/csv").value
        }
        #expect(error?.reason == "application/problem+json, not application/json or text/csv")
    }
}
