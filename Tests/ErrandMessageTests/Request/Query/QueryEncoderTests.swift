import Errand
import TestSupport
import Testing

struct `A query of an encodable object` {
    private struct Filter: Encodable, Sendable {
        enum State: String, Codable { case open }
        struct Range: Encodable, Sendable {
            var low: Int?
            var high: Double
        }

        var state = State.open
        var labels = ["a", "b"]
        var since = Date(timeIntervalSince1970: 7)
        var isMine = true
        var author: String?
        var range = Range(high: 1.5)
    }

    @Test func `a query of an object has its members in order without nil`() throws {
        #expect(
            try text(URLQuery(encoding: Filter()))
                == "state=open&labels=a&labels=b&since=1970-01-01T00:00:07Z&isMine=true&range[high]=1.5")
    }

    @Test func `a query of an object is encoded in the given styles`() throws {
        let query = URLQuery(
            encoding: Filter(), lists: .indexed, nesting: .dots, dates: .secondsSince1970, booleans: .digits)
        #expect(try text(query) == "state=open&labels[0]=a&labels[1]=b&since=7&isMine=1&range.high=1.5")
    }

    @Test(
        arguments: [
            (.repeated, "rows[id]=1&rows[id]=2"), (.brackets, "rows[][id]=1&rows[][id]=2"),
            (.indexed, "rows[0][id]=1&rows[1][id]=2"),
        ] as [(URLQuery.ListStyle, String)])
    func `a query encodes the members of objects in an array`(_ style: URLQuery.ListStyle, _ expected: String) throws {
        #expect(try text(URLQuery(encoding: ["rows": [["id": 1], ["id": 2]]], lists: style)) == expected)
    }

    @Test func `a list with commas in a query cannot contain objects`() async {
        let error = await expectFailure(.invalidURL) {
            try text(URLQuery(encoding: ["a": ["rows": [["id": 1]]]], lists: .commas))
        }
        #expect(error?.reason == "the query item a[rows] is a list with commas, which cannot hold nested members")
    }

    @Test func `a query encodes integers of every size as digits`() throws {
        struct Integers: Encodable {
            var int = Int.min, int8 = Int8.min, int16 = Int16.min, int32 = Int32.min, int64 = Int64.min
            var int128 = Int128.min, uint = UInt.max, uint8 = UInt8.max, uint16 = UInt16.max, uint32 = UInt32.max
            var uint64 = UInt64.max, uint128 = UInt128.max
        }
        #expect(
            try text(URLQuery(encoding: Integers()))
                == "int=-9223372036854775808&int8=-128&int16=-32768&int32=-2147483648&int64=-9223372036854775808"
                + "&int128=-170141183460469231731687303715884105728&uint=18446744073709551615&uint8=255&uint16=65535"
                + "&uint32=4294967295&uint64=18446744073709551615&uint128=340282366920938463463374607431768211455")
        #expect(try text(URLQuery(encoding: ["a": [Int128(1), 2]])) == "a=1&a=2")
        #expect(try text(URLQuery(encoding: ["a": UInt128?(7)])) == "a=7")
    }

    @Test func `a query encodes data, URLs, decimals and UUIDs as one value each`() throws {
        struct Values: Encodable {
            var data = Data([0xFF, 0xFE])
            var url = URL(string: "https://a.example/b")
            var price = Decimal(string: "0.10")
            var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        }
        #expect(
            try text(URLQuery(encoding: Values()))
                == "data=//4=&url=https://a.example/b&price=0.1&id=E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    }

    @Test func `a query sorts the members of a dictionary and omits nil elements`() throws {
        let members: [String: [Int?]] = ["c": [1, nil, 2], "b": [nil], "d": [3], "a": [4]]
        #expect(try text(URLQuery(encoding: members)) == "a=4&c=1&c=2&d=3")
        #expect(try text(URLQuery(encoding: [3: "x", 1: "y", 2: "z"])) == "1=y&2=z&3=x")
    }

    @Test func `a query accepts objects that encode into nested containers`() throws {
        struct Point: Encodable {
            enum Key: String, CodingKey { case x, names, inner, y, none }

            func encode(to encoder: any Encoder) throws {
                var members = encoder.container(keyedBy: Key.self)
                try members.encode(1, forKey: .x)
                try members.encodeNil(forKey: .none)
                var names = members.nestedUnkeyedContainer(forKey: .names)
                try names.encode("a")
                try names.encode("b")
                var inner = members.nestedContainer(keyedBy: Key.self, forKey: .inner)
                try inner.encode(2, forKey: .x)
                var again = encoder.container(keyedBy: Key.self)
                try again.encode(3, forKey: .y)
            }
        }
        #expect(try text(URLQuery(encoding: Point())) == "x=1&names=a&names=b&inner[x]=2&y=3")
    }

    @Test func `a query encoding error contains the member but not its value`() async {
        struct Refusing: Encodable {
            enum CodingKeys: CodingKey { case secret }

            func encode(to encoder: any Encoder) throws {
                let place = EncodingError.Context(codingPath: [CodingKeys.secret], debugDescription: "planted")
                throw EncodingError.invalidValue("planted", place)
            }
        }
        let infinite = await expectFailure(.invalidURL) {
            try text(URLQuery(encoding: Filter(range: Filter.Range(high: .infinity))))
        }
        #expect(infinite?.reason == "the query item range[high] is not a finite number")
        let refused = await expectFailure(.invalidURL) { try text(URLQuery(encoding: Refusing())) }
        #expect(refused?.reason == "secret cannot be encoded: the encoder does not accept this value of type String")
        let scalar = await expectFailure(.invalidURL) { try text(URLQuery(encoding: "planted")) }
        struct Silent: Encodable {
            func encode(to encoder: any Encoder) throws { throw ErrandError(.bodyEncodingFailed) }
        }
        let silent = await expectFailure(.invalidURL) { try text(URLQuery(encoding: Silent())) }
        #expect(silent?.reason == "Silent cannot be encoded as a query")
        #expect(scalar?.reason == "a query or form needs an object with named members, not String")
        #expect(!URLQuery(encoding: "planted").isEmpty)
    }

    @Test func `a nested query that cannot be encoded fails the request`() async {
        let nested: URLQuery = ["filter": URLQuery(encoding: [1, 2, 3]), "page": 1]
        for query in [nested, ["filters": [nested]]] {
            let failure = await expectFailure(.invalidURL) { try text(query) }
            #expect(failure?.reason == "a query or form needs an object with named members, not Array<Int>")
        }
    }

    /// An encoder that copied the list for each element would take minutes.
    @Test func `a list of a hundred thousand optional numbers is encoded`() {
        let query = URLQuery(encoding: ["a": Array(repeating: Int?.some(1), count: 100_000)])
        #expect(query["a"] as QueryValue? == .list(Array(repeating: .text("1"), count: 100_000)))
    }

    /// The query of the built request, without escapes.
    private func text(_ query: URLQuery) throws -> String? {
        let request = APIBase()
        request.baseURL = URL(string: "https://example.com")
        request.query = query
        return try request.buildURLRequest().url?.query?.removingPercentEncoding
    }
}
