import Errand
import Testing

struct `A content disposition` {
    /// Includes the cases of the "Test Cases for HTTP Content-Disposition header field" of greenbytes, in other words.
    @Test(
        arguments: [
            ("inline", "inline", nil), ("ATTACHMENT", "attachment", nil), (" attachment ; ", "attachment", nil),
            ("attachment; filename=\"foo.html\"", "attachment", "foo.html"),
            ("attachment; FILENAME=foo.html", "attachment", "foo.html"),
            ("attachment;filename=\"f\\oo.html\"", "attachment", "foo.html"),
            ("attachment; filename=\"\\\"quoting\\\" tested.html\"", "attachment", "\"quoting\" tested.html"),
            ("attachment; filename=\"a;b.html\"", "attachment", "a;b.html"),
            ("attachment; filename='foo.bar'", "attachment", "'foo.bar'"),
            ("attachment; filename=foo bar.html", "attachment", "foo bar.html"),
            ("attachment; filename=\"foo-%41.html\"", "attachment", "foo-%41.html"),
            ("attachment; filename=\"€.html\"", "attachment", "€.html"),
            ("attachment; filename*=UTF-8''foo-%c3%a4-%e2%82%ac.html", "attachment", "foo-ä-€.html"),
            ("attachment; filename*=iso-8859-1''foo-%E4.html", "attachment", "foo-ä.html"),
            ("attachment; filename=\"EURO.html\"; filename*=UTF-8'en'%e2%82%ac", "attachment", "€"),
            ("attachment; filename*=UTF-8''%e2%82%ac; filename=\"EURO.html\"", "attachment", "€"),
            // If the extended form is invalid, the plain name is used.
            ("attachment; filename*=UTF-8''%e2%82; filename=\"plain\"", "attachment", "plain"),
            ("attachment; filename*=UTF-8''%zz; filename=plain", "attachment", "plain"),
            ("attachment; filename*=UTF-16''a; filename=plain", "attachment", "plain"),
            ("attachment; filename*=\"UTF-8''a\"; filename=plain", "attachment", "plain"),
            ("attachment; filename*=UTF-8''%4; filename=plain", "attachment", "plain"),
            ("attachment; filename=first; filename=second", "attachment", "first"),
            ("attachment; =x; filename; ;filename=name", "attachment", "name"),
            ("attachment; \"foo;filename=evil\"; filename=good", "attachment", "good"),
            ("attachment; *=UTF-8''a; filename*=UTF-8''%+4; filename=plain", "attachment", "plain"),
            ("form-data; name=\"a\"; filename=\"b\"", "form-data", "b"),
        ] as [(String, String, String?)])
    func `a content disposition is parsed into type and file name`(
        _ field: String, _ type: String, _ filename: String?
    ) throws {
        let disposition = try #require(ContentDisposition(field: field))
        #expect(disposition.type == type)
        #expect(disposition.filename == filename)
    }

    @Test(arguments: ["", " ", ";filename=a", "\"inline\"", "=x"])
    func `a content disposition without a type is invalid`(_ field: String) {
        #expect(ContentDisposition(field: field) == nil)
    }

    @Test(
        arguments: [
            ("../../etc/passwd", "passwd"), ("C:\\Windows\\system.ini", "system.ini"), ("/", nil), ("..", nil),
            (".", nil), ("", nil),
            (" ", nil), ("a\u{0}b\u{1B}.txt", "ab.txt"), ("dir/", "dir"), (".hidden", ".hidden"),
            ("../\u{301}evil", "\u{301}evil"), ("..\\\u{200D}evil", "evil"), ("a\u{202E}fdp.exe", "afdp.exe"),
        ] as [(String, String?)])
    func `the file name of a content disposition is safe to use for a file`(_ name: String, _ expected: String?) {
        #expect(ContentDisposition(filename: name).filename == expected)
    }

    @Test func `a long file name of a content disposition is truncated`() throws {
        let name = try #require(ContentDisposition(filename: String(repeating: "ä", count: 200)).filename)
        #expect(name.utf8.count == 254)
    }

    @Test(arguments: [
        ("plain.txt", "attachment; filename=\"plain.txt\""),
        ("€ rates.csv", "attachment; filename=\"_ rates.csv\"; filename*=UTF-8''%E2%82%AC%20rates.csv"),
        ("a\"b\\c%d", "attachment; filename=\"a_b_c_d\"; filename*=UTF-8''a%22b%5Cc%25d"),
        ("a\r\nX: y", "attachment; filename=\"a__X: y\"; filename*=UTF-8''a%0D%0AX%3A%20y"),
    ]) func `a written content disposition is read with the same file name`(_ name: String, _ field: String) {
        var headers = HeaderFields()
        headers.contentDisposition = ContentDisposition(filename: name)
        #expect(headers["Content-Disposition"] == field)
        #expect(headers.contentDisposition?["filename"] == name)
    }

    @Test func `an invalid disposition type is replaced with attachment`() {
        #expect(ContentDisposition("in line\r\n").type == "attachment")
        #expect(ContentDisposition("INLINE").description == "inline")
    }
}
