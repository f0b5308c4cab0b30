import ErrandJSON
import Testing

/// The samples of the guide about JSON.
struct `The guide about JSON` {
    struct Book: Codable, Equatable {
        var title: String
        var publishedAt: Date
    }

    struct Event: Decodable {
        var id: Int
        var payload: JSONValue
    }

    @Test func `the guide's sample decodes and encodes a document`() throws {
        let data = Data(#"{"title":"Malafrena","published_at":"1979-10-13T00:00:00Z"}"#.utf8)
        let decoder = FastJSONDecoder(keys: .convertFromSnakeCase, dates: .iso8601)
        let encoder = FastJSONEncoder(keys: .convertToSnakeCase, dates: .iso8601)

        let book = try decoder.decode(Book.self, from: data)
        let body = try encoder.encode(book)
        #expect(book == Book(title: "Malafrena", publishedAt: Date(timeIntervalSince1970: 308_620_800)))
        #expect(body == data)
    }

    @Test func `the guide's sample finds untyped parts of a document`() throws {
        let data = Data(#"{"id":1,"payload":{"address":{"city":"Oslo"},"lines":[{"sku":"S1"}]}}"#.utf8)
        let event = try FastJSONDecoder().decode(Event.self, from: data)
        let city = event.payload["address"]?["city"]?.string
        let first = event.payload[pointer: "/lines/0/sku"]?.string
        #expect(event.id == 1 && city == "Oslo" && first == "S1")
    }
}
