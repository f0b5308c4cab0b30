import Testing

@testable import Errand

struct `The URLs that a response names` {
    private static let stored = "https://api.example.com/x?f%5Ba%5D=1&q=a%20b"

    private static let locations = [
        "/x?f[a]=1&q=a%20b", "?f[a]=1&q=a%20b", "//api.example.com/x?f[a]=1&q=a%20b", "/x?f%5Ba%5D=1&q=a%20b",
        "https://API.example.com:443/x?f[a]=1&q=a%20b#part",
    ]

    @Test(arguments: locations, ["Location", "Content-Location"])
    func `a URL with raw brackets invalidates the stored response`(_ location: String, _ field: String) throws {
        var request = URLRequest(url: try #require(URL(string: "https://api.example.com/x")))
        request.httpMethod = "POST"
        let response = DataResponse(statusCode: 201, headers: [HeaderFields.Name(field): location], url: request.url)
        let stored = CacheKey.resource(of: try #require(URL(string: Self.stored)))
        #expect(CacheInvalidation.outdated(by: request, response).map(CacheKey.resource).contains(stored))
    }

    @Test(arguments: locations)
    func `the response to a POST is a resource at a URL with raw brackets`(_ location: String) throws {
        let headers: HeaderFields = ["Content-Location": location, "Cache-Control": "max-age=60"]
        let url = try #require(URL(string: Self.stored))
        #expect(CacheStoring.isResource(DataResponse(statusCode: 200, headers: headers), at: url))
    }
}
