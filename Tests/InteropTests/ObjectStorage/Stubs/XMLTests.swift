import Errand
import Testing

struct `A document in XML` {
    struct Shelf: Decodable, Hashable, SendableMetatype {
        struct Book: Decodable, Hashable {
            var title: String
            var pages: Int?
        }

        var name: String
        var isOpen: Bool?
        var since: Date?
        var book: [Book]
        var mark: [String]
    }

    private func decode(_ text: String) throws -> Shelf {
        try DataResponse(statusCode: 200, data: Data(text.utf8)).decode(
            Shelf.self, decoder: XMLDocumentDecoder(root: "shelf"))
    }

    @Test func `an XML document is decoded with elements, texts and lists`() throws {
        let shelf = try decode(
            """
            <shelf xmlns="http://example.com/"><!-- a note --><name>a &lt;b&gt; <![CDATA[& c]]></name>
            <book><title>One</title><pages>\n120 </pages></book><other/><book><title></title></book>
            <isOpen>true</isOpen><since>2026-11-21T03:40:42Z</since><mark>x</mark></shelf>
            """)
        let books = [Shelf.Book(title: "One", pages: 120), Shelf.Book(title: "", pages: nil)]
        let since = Date(timeIntervalSince1970: 1_795_232_442)
        #expect(shelf == Shelf(name: "a <b> & c", isOpen: true, since: since, book: books, mark: ["x"]))
    }

    @Test func `empty and missing XML elements are decoded`() throws {
        #expect(
            try decode("<shelf><name/></shelf>") == Shelf(name: "", isOpen: nil, since: nil, book: [], mark: []))
    }

    @Test(arguments: [
        ("", "the body is empty"), ("<shelf><name>", "the top level is not valid"),
        ("<rack><name/></rack>", "the top level is not valid"), ("{}", "the top level is not valid"),
        ("<shelf><name/><book><title/><pages>many</pages></book></shelf>", "book[0].pages is not Int"),
        ("<shelf><name/><since>soon</since></shelf>", "since is not Date"),
        ("<shelf><name/><book/></shelf>", "book[0].title is null, not DocumentElement"),
    ]) func `invalid XML fails with a reason`(_ text: String, _ reason: String) {
        let error = #expect(throws: ErrandError.self) { try decode(text) }
        #expect(error?.code == .decodingFailed)
        #expect(error?.reason == reason)
    }

    @Test func `the nesting of an XML document is limited`() throws {
        func nested(_ depth: Int) -> String {
            let inner = String(repeating: "<x>", count: depth - 1) + String(repeating: "</x>", count: depth - 1)
            return "<shelf><name>deep</name>\(inner)</shelf>"
        }
        #expect(try decode(nested(32)).name == "deep")
        #expect(throws: ErrandError.self) { try decode(nested(33)) }
        #expect(throws: ErrandError.self) { try decode(nested(100_000)) }
    }

    @Test func `XML entities cannot expand a document`() {
        let entities = (1...9).map { "<!ENTITY e\($0) \"\(String(repeating: "&e\($0 - 1);", count: 10))\">" }
        let text = "<!DOCTYPE shelf [<!ENTITY e0 \"ha\">\(entities.joined())]><shelf><name>&e9;</name></shelf>"
        // The parser fails or omits the entities. It never returns a text of two billion characters.
        let name = (try? decode(text))?.name ?? ""
        #expect(name.utf8.count < 1_000)
    }
}
