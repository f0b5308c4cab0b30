import Errand
import TestSupport
import Testing

struct `A query` {
    enum Order: String, QueryValueConvertible { case newest }
    enum Level: Int, QueryValueConvertible { case third = 3 }

    let date = Date(timeIntervalSince1970: 1_795_232_442.25)
    let uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID()

    @Test func `a query encodes each kind of value in order and omits nil`() throws {
        let (missing, present): (String?, Int?) = (nil, 7)
        let query: URLQuery = [
            "page": 1, "q": nil, "tags": ["a", "b"], "since": date, "on": true, "off": false, "x": 1.5,
            "missing": missing, "present": present, "id": uuid, "order": Order.newest, "level": Level.third,
            "part": "a b".prefix(1), "byte": UInt8(255), "float": Float(0.1),
        ]
        let expected =
            "page=1&tags=a&tags=b&since=2026-11-21T03%3A40%3A42Z&on=true&off=false&x=1.5&present=7"
            + "&id=E621E1F8-C36C-495A-93FC-0C247A3E6E5F&order=newest&level=3&part=a&byte=255&float=0.1"
        #expect(try text(query) == expected)
    }

    private static let exactNumbers: [(Double, String)] = [
        (1e20, "100000000000000000000"), (-1e20, "-100000000000000000000"), (2.0, "2"), (0, "0"), (0.1, "0.1"),
        (-0.25, "-0.25"), (1e-7, "0.0000001"), (1.25e-5, "0.0000125"), (123_456.789, "123456.789"),
        (1.7976931348623157e308, "17976931348623157" + String(repeating: "0", count: 292)),
        (.leastNonzeroMagnitude, "0." + String(repeating: "0", count: 323) + "5"), (1.5e16, "15000000000000000"),
        (1.2345678901234567e18, "1234567890123456800"),
    ]

    @Test(arguments: exactNumbers)
    func `a query encodes a number without an exponent in the fewest exact digits`(_ number: Double, _ text: String)
        throws
    {
        #expect(try self.text(["x": number]) == "x=\(text)")
        #expect(Double(text) == number)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `a number that is not finite in a query fails with the name of its item`(_ number: Double) async {
        let error = await expectFailure(.invalidURL) { try text(["a": 1, "ratio": number]) }
        #expect(error?.reason == "the query item ratio is not a finite number")
        await expectFailure(.invalidURL) { try text(["a": [1, number]]) }
        await expectFailure(.invalidURL) { try text(["a": Float(number)]) }
    }

    @Test func `a query encodes arrays in each list style`() throws {
        let query: URLQuery = ["tag[": ["a,b", "c&d"], "none": [String](), "n": [1, 2]]
        #expect(try text(query) == "tag%5B=a%2Cb&tag%5B=c%26d&n=1&n=2")
        #expect(
            try text(URLQuery(query, lists: .brackets)) == "tag%5B%5B%5D=a%2Cb&tag%5B%5B%5D=c%26d&n%5B%5D=1&n%5B%5D=2")
        #expect(try text(URLQuery(query, lists: .commas)) == "tag%5B=a%2Cb,c%26d&n=1,2")
        for style in URLQuery.ListStyle.allCases {
            #expect(try text(URLQuery(["none": [String]()], lists: style)) == nil)
        }
        #expect(try text(["nested": [[1, 2], [3]]]) == "nested=1&nested=2&nested=3")
        let tags = QueryValue.list([.text("a/b"), .escaped("c%2Fd,/e")])
        #expect(try text(URLQuery(["tag": tags], lists: .commas)) == "tag=a%2Fb,c%2Fd,/e")
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z", "0", "0"),
            (1_000_000_000.25, "2001-09-09T01:46:40Z", "2001-09-09T01:46:40.250Z", "1000000000", "1000000000250"),
            (1_000_000_000.007, "2001-09-09T01:46:40Z", "2001-09-09T01:46:40.007Z", "1000000000", "1000000000007"),
            (1_000_000_000.9999, "2001-09-09T01:46:40Z", "2001-09-09T01:46:40.999Z", "1000000000", "1000000000999"),
            (-0.5, "1969-12-31T23:59:59Z", "1969-12-31T23:59:59.500Z", "-1", "-500"),
        ] as [(Double, String, String, String, String)])
    func `a query encodes dates in each style and drops smaller fractions`(
        _ time: Double, _ iso8601: String, _ fractional: String, _ seconds: String, _ milliseconds: String
    ) throws {
        let query: URLQuery = ["t": Date(timeIntervalSince1970: time)]
        let escaped = { (text: String) in "t=" + text.replacingOccurrences(of: ":", with: "%3A") }
        #expect(try text(query) == escaped(iso8601))
        #expect(try text(URLQuery(query, dates: .iso8601WithMilliseconds)) == escaped(fractional))
        #expect(try text(URLQuery(query, dates: .secondsSince1970)) == escaped(seconds))
        #expect(try text(URLQuery(query, dates: .millisecondsSince1970)) == escaped(milliseconds))
    }

    @Test(arguments: [Double.nan, .infinity, 1e300, 253_402_300_800, -62_135_596_801, .greatestFiniteMagnitude])
    func `a date outside the years 1 to 9999 is rejected in a query`(_ time: Double) async {
        for style in [URLQuery.DateStyle.iso8601, .iso8601WithMilliseconds, .secondsSince1970, .millisecondsSince1970] {
            await expectFailure(.invalidURL) {
                try text(URLQuery(["t": Date(timeIntervalSince1970: time)], dates: style))
            }
        }
    }

    @Test func `a query flag has no equals sign, and an empty value has one`() throws {
        #expect(try text(["a": QueryValue.flag, "b": "", "c": 1]) == "a&b=&c=1")
        #expect(
            try text(URLQuery([URLQueryItem(name: "a", value: nil), URLQueryItem(name: "a", value: "x")])) == "a&a=x")
    }

    @Test func `a name can occur more than once in a query`() throws {
        #expect(try text(["a": 1, "b": 2, "a": 3]) == "a=1&b=2&a=3")
        var query: URLQuery = ["a": 1]
        query.append("a", 2)
        query.append("a", nil)
        query.append(contentsOf: ["b": 3, "a": 4])
        #expect(try text(query) == "a=1&a=2&b=3&a=4")
        #expect(query.names == ["a", "a", "b", "a"])
    }

    @Test func `setting a query item replaces all values of its name in place`() throws {
        var query: URLQuery = ["a": 1, "b": 2, "a": 3]
        query["a"] = "new"
        #expect(try text(query) == "a=new&b=2")
        query["c"] = [4, 5]
        #expect(try text(query) == "a=new&b=2&c=4&c=5")
        query["b"] = nil
        #expect(try text(query) == "a=new&c=4&c=5")
        #expect(query["A"] == nil)
        #expect(query["a"] == "new")
    }

    @Test func `a query value is read by name and compared with literals and variables`() {
        let page = 2
        let query: URLQuery = [
            "page": page, "q": "x", "on": true, "since": date, "tag": "a", "flag": QueryValue.flag, "tag": "b",
            "ids": [1, 2],
        ]
        #expect(query["page"] == page)
        #expect(query["page"] == 2)
        #expect(query["page"] != 3)
        #expect(query["q"] == "x")
        #expect(query["on"] == true)
        #expect(query["ids"] == [1, 2])
        #expect(query["since"] == date)
        #expect(query["missing"] == nil)
        #expect(query["missing"] != "x")
        #expect(query["page"]?.text == "2")
        #expect(query["on"]?.text == "true")
        #expect(query["since"]?.text == "2026-11-21T03:40:42Z")
        #expect(query["flag"]?.text == nil)
        #expect(query["ids"]?.text == nil)
        #expect(query[values: "tag"].map(\.text) == ["a", "b"])
    }

    @Test func `a copy of a query keeps its styles unless others are given`() throws {
        var query: URLQuery = ["tag": ["a", "b"], "since": date, "on": true, "filter": ["state": "open"]]
        query.listStyle = .commas
        query.dateStyle = .secondsSince1970
        query.nestingStyle = .dots
        query.booleanStyle = .digits
        #expect(URLQuery(query) == query)
        let copy = URLQuery(query, dates: .millisecondsSince1970)
        #expect(try text(copy) == "tag=a,b&since=1795232442250&on=1&filter.state=open")
        #expect(try text(URLQuery(query, lists: .repeated)) == "tag=a&tag=b&since=1795232442&on=1&filter.state=open")
    }

    @Test func `a query encodes nested arrays with indexes and nested members in its style`() throws {
        let query: URLQuery = [
            "ids": [[7, 8], [9]], "filter": ["b": "1", "a": "2"], "sort": URLQuery(["by": "name", "down": false]),
            "amount": Decimal(string: "12.50"), "home": URL(string: "https://a.example/"),
        ]
        let rest = "&amount=12.5&home=https%3A%2F%2Fa.example%2F"
        #expect(
            try decoded(URLQuery(query, lists: .indexed))
                == "ids[0][0]=7&ids[0][1]=8&ids[1][0]=9&filter[a]=2&filter[b]=1&sort[by]=name&sort[down]=false" + rest)
        #expect(
            try decoded(URLQuery(query, lists: .commas, nesting: .dots, booleans: .digits))
                == "ids=7,8,9&filter.a=2&filter.b=1&sort.by=name&sort.down=0" + rest)
    }

    @Test func `the query of a request follows the query of the base URL`() throws {
        let request = APIBase()
        request.baseURL = URL(string: "https://example.com/v1?key=a%20b")
        request.query = ["page": 2]
        #expect(try request.buildURLRequest().url?.absoluteString == "https://example.com/v1?key=a%20b&page=2")
    }

    @Test func `the description of a query shows names and redacts values`() {
        let query: URLQuery = ["token": "planted", "page": "planted"]
        var dumped = ""
        dump(query, to: &dumped)
        dump(query["token"], to: &dumped)
        let shown = "\(query) \(String(reflecting: query)) \(String(describing: query["token"])) \(dumped)"
        #expect(shown.contains("token=***&page=***"))
        #expect(!shown.contains("planted"))
    }

    /// The encoded query, with unescaped brackets.
    private func decoded(_ query: URLQuery) throws -> String? {
        try text(query)?.replacingOccurrences(of: "%5B", with: "[").replacingOccurrences(of: "%5D", with: "]")
    }

    private func text(_ query: URLQuery) throws -> String? {
        let request = APIBase()
        request.baseURL = URL(string: "https://example.com")
        request.query = query
        return try #require(try request.buildURLRequest().url).absoluteString.split(separator: "?").dropFirst().first
            .map(String.init)
    }
}
