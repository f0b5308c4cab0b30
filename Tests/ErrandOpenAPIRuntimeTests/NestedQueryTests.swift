import ErrandOpenAPIRuntime
import Testing

/// How lists and objects inside the object of a parameter or a form are written.
@Suite struct NestedQueryTests {
    private final class Search: APIBase, Request {
        init(_ query: URLQuery) {
            super.init()
            baseURL = URL(string: "https://example.com")
            self.query = query
        }

        func start() -> Pipeline<Void, any Error> { sendRequest().decodeVoid() }
    }

    private func text(_ query: URLQuery) throws -> String? {
        try Search(query).buildURLRequest().url?.query(percentEncoded: false)
    }

    private static let page: JSONValue = ["page": 0, "sort": ["a,asc", "b"]]
    private static let order: JSONValue = [
        "items": [["price": "b", "taxes": ["x", "y"]], ["quantity": 2]], "notes": ["m", "n"],
    ]

    @Test(arguments: [
        (page, ParameterStyle.form, "page=0&sort=a,asc&sort=b"),
        (page, .deepObject, "q[page]=0&q[sort][]=a,asc&q[sort][]=b"),
        (
            order, .form,
            "items[0][price]=b&items[0][taxes][]=x&items[0][taxes][]=y&items[1][quantity]=2&notes=m&notes=n"
        ),
        (
            order, .deepObject,
            "q[items][0][price]=b&q[items][0][taxes][]=x&q[items][0][taxes][]=y&q[items][1][quantity]=2"
                + "&q[notes][]=m&q[notes][]=n"
        ),
    ])
    func `a list in an object has brackets only with deepObject, and an index for each object`(
        _ value: JSONValue, _ style: ParameterStyle, _ expected: String
    ) throws {
        var query = URLQuery()
        query.append("q", encoding: value, style: style)
        #expect(try text(query)?.replacing("%2C", with: ",") == expected)
    }

    @Test func `a form with deepObject for all members has an index for each object of a list`() throws {
        let query = URLQuery(deepObject: Self.order)
        let items = "items[0][price]=b&items[0][taxes][]=x&items[0][taxes][]=y&items[1][quantity]=2"
        #expect(try text(query) == items + "&notes[]=m&notes[]=n")
    }
}
