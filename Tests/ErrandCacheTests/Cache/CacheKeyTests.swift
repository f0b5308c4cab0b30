import Testing

@testable import Errand

struct `The key of a stored response` {
    @Test func `a cache key depends on the client certificate of the transport`() {
        func key(_ certificate: String?) -> CacheKey {
            var configuration = CurlConfiguration()
            configuration.tls.identity = certificate.map { .init(certificate: .file($0), key: .file("key")) }
            let url = URL(filePath: "/")
            var request = TransportRequest(URLRequest(url: url))
            request.clientCertificate = CurlTransport(configuration).clientCertificate
            return CacheKey(request, url: url, partition: nil)
        }
        #expect(key("a") == key("a"))
        #expect(Set([key("a"), key("b"), key(nil)]).count == 3)
    }
}
