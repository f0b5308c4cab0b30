import Errand
import Testing

struct `The head of a response as Foundation represents it` {
    private let url = URL(string: "https://example.com/a")

    @Test func `repeated fields with names in any case are joined in an HTTPURLResponse`() throws {
        let response = DataResponse(
            statusCode: 200, headers: ["X-Tag": "a", "Age": "1", "x-tag": "b", "X-TAG": "c"], url: url)
        let head = try #require(response.httpURLResponse)
        #expect(head.value(forHTTPHeaderField: "X-Tag") == "a, b, c")
        #expect(head.value(forHTTPHeaderField: "Age") == "1")
        #expect(head.allHeaderFields.count == 2)
    }

    @Test func `an HTTPURLResponse contains every cookie`() throws {
        let response = DataResponse(
            statusCode: 200,
            headers: [
                "set-cookie": "a=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT", "Set-Cookie": "b=2; Path=/",
                "SET-COOKIE": "c=3",
            ], url: url)
        let fields = try #require(response.httpURLResponse?.allHeaderFields as? [String: String])
        let cookies = HTTPCookie.cookies(withResponseHeaderFields: fields, for: try #require(url))
        #expect(cookies.map { "\($0.name)=\($0.value)" }.sorted() == ["a=1", "b=2", "c=3"])
    }

    @Test func `a response without a URL has no HTTPURLResponse`() {
        #expect(DataResponse(statusCode: 200).httpURLResponse == nil)
    }
}
