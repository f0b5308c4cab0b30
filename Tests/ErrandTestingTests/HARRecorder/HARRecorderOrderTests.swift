import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

/// Every secret of these tests is called `planted`, so that a search of the file shows whether it was recorded.
@Suite(.hangGuard) struct `A secret that is added after a HAR recorder` {
    private let server: MockServer
    private let recorder = HARRecorder(hosts: ["127.0.0.1"], bodies: true)
    private let key = APIKeyAuthentication("planted", in: .query("appid"))

    init() throws {
        server = try MockServer()
        server.onAny { request in
            // The server names the next page with the query of the request, as many do.
            .json("[]").with(header: "Link", "<\(request.target)&next=2>; rel=\"next\"")
                .with(header: "Cache-Control", "max-age=60")
        }
    }

    private func request(_ interceptors: [any Interceptor]) -> AnyRequest {
        AnyRequest(server.url, "/books", ["page": "2"]) { $0.interceptors = interceptors }
    }

    private func expectNoSecret(_ count: Int = 1, _ recorder: HARRecorder? = nil) throws {
        let archive = (recorder ?? self.recorder).archive
        let text = try String(decoding: archive.encoded(), as: UTF8.self)
        #expect(!text.contains("planted"), "\(text)")
        #expect(archive.log.entries.count == count)
    }

    @Test(arguments: [true, false])
    func `a query item of the final URL is hidden in all URLs of the response`(_ isStreamed: Bool) async throws {
        if isStreamed {
            for try await _ in request([recorder, key]).startStream() {}
        } else {
            _ = try await request([recorder, key]).start().value
        }
        #expect(server.requests.map(\.target) == ["/books?page=2&appid=planted"])
        try expectNoSecret()
        let entry = try #require(recorder.archive.log.entries.first)
        #expect(entry.request.url == "\(server.url)/books?page=2")
        #expect(entry.response.url == "\(server.url)/books?page=2&appid=***")
        #expect(
            entry.response.headers.first { $0.name == "Link" }?.value
                == "</books?page=2&appid=***&next=2>; rel=\"next\"")
        #expect(entry.redacted?.contains(HAR.RedactedValue(.responseURL, "appid")) == true)
    }

    @Test func `a key of the service is hidden from a recorder of the class`() async throws {
        let service = APIService(interceptors: [key])
        _ = try await request([recorder]).schedule(with: service).value
        #expect(server.requests.map { $0.target.contains("appid=planted") } == [true])
        try expectNoSecret()
    }

    @Test(arguments: [true, false])
    func `a key after a cache is hidden in new and in stored responses`(_ isTimed: Bool) async throws {
        let cache: any Interceptor =
            isTimed ? TimedCache(for: .seconds(60)) : HTTPCache(store: MemoryCacheStore())
        for _ in 1...2 { _ = try await request([recorder, cache, key]).start().value }
        #expect(server.requests.first?.target.contains("planted") == true)
        try expectNoSecret(2)
    }

    @Test func `a value that a redirect adds is hidden, and one that the request has is not`() async throws {
        server.on(.get, "/old") { _ in .status(302).with(header: "Location", "/new?page=2&ticket=planted&planted") }
        server.on(.get, "/new") { _ in
            .text("here").with(header: "Content-Location", "/new?planted")
                .with(
                    header: "Link", "</new?planted&page=3&ticket=planted>; rel=\"next\", </new?ticket=4>; rel=\"last\"")
        }
        let request = AnyRequest(server.url, "/old", ["page": "2"]) { $0.interceptors = [recorder] }
        _ = try await request.start().value
        try expectNoSecret()
        let response = try #require(recorder.archive.log.entries.first?.response)
        #expect(response.url == "\(server.url)/new?page=2&ticket=***&***")
        // Another value under the name of an added item is not what was added: a replay needs it.
        #expect(
            response.headers.first { $0.name == "Link" }?.value
                == "</new?***&page=3&ticket=***>; rel=\"next\", </new?ticket=4>; rel=\"last\"")
    }

    @Test func `an added item before a fragment is hidden`() async throws {
        server.on(.get, "/a") { _ in .status(302).with(header: "Location", "/b?q=x&ticket=planted#top") }
        server.on(.get, "/b") { _ in .text("here") }
        _ = try await AnyRequest(server.url, "/a", ["q": "x"]) { $0.interceptors = [recorder] }.start().value
        try expectNoSecret()
        let response = try #require(recorder.archive.log.entries.first?.response)
        #expect(response.url?.hasPrefix("\(server.url)/b?q=x&ticket=***") == true)
    }

    @Test func `a name with brackets is hidden by an interceptor before and after it`() async throws {
        let key = APIKeyAuthentication("planted", in: .query("tenant[stamp]"))
        for interceptors in [[recorder, key], [key, recorder]] as [[any Interceptor]] {
            _ = try await request(interceptors).start().value
        }
        #expect(server.requests.map { $0.target.contains("planted") } == [true, true])
        try expectNoSecret(2)
    }

    @Test func `a key after a cassette is hidden in its file`() async throws {
        let folder = try CassetteFolder()
        let run = try Cassette(at: folder.file(), mode: .record).start()
        _ = try await request([run, key]).start().value
        try run.finish()
        let text = try String(contentsOf: folder.file(), encoding: .utf8)
        #expect(text.contains("appid=***") && !text.contains("planted"))
    }
}
