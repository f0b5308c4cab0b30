import Errand
import Testing

/// The samples of the page about security.
struct `The guide to security` {
    class ShelfAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://shelf.example.com")
            redirectPolicy = .decide { _, next in
                next.url?.scheme == "https" && next.url?.host == "shelf.example.com"
            }
        }
    }

    @Test func `the guide's redirect policy allows only the same host over TLS`() throws {
        guard case .decide(let shouldFollow) = ShelfAPI().redirectPolicy else {
            Issue.record("the policy does not decide")
            return
        }
        let answer = DataResponse(statusCode: 302)
        for (url, isFollowed) in [
            "https://shelf.example.com/new": true, "http://shelf.example.com/new": false,
            "https://elsewhere.example.com/": false,
        ] {
            let next = URLRequest(url: try #require(URL(string: url)))
            #expect(shouldFollow(answer, next) == isFollowed, "\(url)")
        }
    }

    #if os(Linux)
    /// Compiled but not run, because the certificate authority does not exist.
    func configure(_ request: ShelfAPI, _ companyAuthority: Data) {
        var configuration = CurlConfiguration()
        configuration.tls.additionalAuthorities = companyAuthority
        configuration.tls.pinnedPublicKeys = ["YLh1dUR9y6Kja30RrAn7JKnbQG/uEtLMkBgFF2Fuihg="]
        configuration.tls.minimumVersion = .tls13
        request.session = CurlTransport(configuration)
    }
    #endif
}
