import Errand
import TestSupport
import Testing

@testable import ErrandResilience

struct `What makes requests identical` {
    private let plain = limitedRequest()

    @Test func `requests with the same URL and fields are identical, in any case of the field names`() {
        let one = limitedRequest(headers: ["Accept": "text/plain", "X-A": "1"])
        let other = limitedRequest(headers: ["x-a": "1", "accept": "text/plain"])
        #expect(CoalescingKey(one) == CoalescingKey(other))
        #expect(CoalescingKey(one) != nil)
    }

    @Test func `requests that differ in one property are not identical`() {
        var others = [
            limitedRequest("https://api.example.com/users?page=2"), limitedRequest(method: "HEAD"),
            limitedRequest(headers: ["Authorization": "Bearer a"]),
            limitedRequest(headers: ["Authorization": "Bearer b"]),
            limitedRequest(resourceTimeout: .seconds(1)),
        ]
        var impatient = plain
        impatient.urlRequest.timeoutInterval = 1
        var small = plain
        small.maximumBodySize = 1
        var staying = plain
        staying.redirectPolicy = .ignore
        var accepting = plain
        accepting.acceptedStatusCodes = [200]
        others += [plain, impatient, small, staying, accepting]
        #expect(Set(others.map(CoalescingKey.init)).count == others.count)
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "get"])
    func `only GET requests are coalesced`(_ method: String) {
        var request = plain
        request.urlRequest.httpMethod = method
        // Foundation capitalizes the names it knows.
        #expect((CoalescingKey(request) == nil) == (request.urlRequest.httpMethod != "GET"))
    }

    @Test func `a request with a body or a redirect closure is not coalesced`() {
        var data = plain
        data.urlRequest.httpBody = Data("a".utf8)
        var stream = plain
        stream.bodyStream = BodyStream(InputStream(data: Data()))
        var deciding = plain
        deciding.redirectPolicy = .decide { _, _ in true }
        #expect([data, stream, deciding].allSatisfy { CoalescingKey($0) == nil })
    }
}
