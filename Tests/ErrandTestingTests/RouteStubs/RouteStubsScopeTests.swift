import Errand
import ErrandTesting
import TestSupport
import Testing

struct `The scope of stubs` {
    let stubs = RouteStubs(baseURL: URL(string: "https://shelf.example.com/v1"))

    @Test(arguments: 0..<50)
    func `concurrent tests each use their own stubs`(_ number: Int) async throws {
        stubs.on(.get, "/volumes/1", try .json(encodable: Volume(id: number)), times: .exactly(20))
        try await stubs.run { () async throws in
            for _ in 0..<20 {
                let volume = try await VolumeRequest(1).start().value
                #expect(volume.id == number)
                await Task.yield()
            }
        }
        #expect(stubs.requests.count == 20)
    }

    @Test func `stubs apply to child tasks, task groups and unstructured tasks`() async throws {
        stubs.on(.get, "/volumes/:id") { request in
            try .json(encodable: Volume(id: Int(request.parameters["id"] ?? "") ?? 0))
        }
        try await stubs.run { () async throws in
            async let child = VolumeRequest(1).start().value.id
            let byHand = Task { try await VolumeRequest(2).start().value.id }
            let ids = try await withThrowingTaskGroup(of: Int.self) { group in
                for id in 3...9 { group.addTask { try await VolumeRequest(id).start().value.id } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(try await child == 1)
            #expect(try await byHand.value == 2)
            #expect(ids == Set(3...9))
        }
    }

    @Test func `stubs apply to scheduled requests and requests with a sink, wherever they are awaited`() async throws {
        stubs.on(.get, "/volumes/1", try .json(encodable: Volume.first), times: .exactly(3))
        let (response, pipeline) = try await stubs.scoped {
            let (sunk, end) = AsyncThrowingStream<Volume, any Error>.makeStream()
            let token = VolumeRequest(1).start().sink { completion in
                if case .failure(let error) = completion { end.finish(throwing: error) } else { end.finish() }
            } receiveValue: { volume in
                end.yield(volume)
            }
            for try await volume in sunk { #expect(volume == .first) }
            token.cancel()
            return (VolumeRequest(1).schedule(), VolumeRequest(1).start())
        }
        #expect(try await response.value == .first)
        #expect(try await Task.detached { try await pipeline.value }.value == .first)
        try stubs.verify()
    }

    @Test func `stubs do not apply to detached tasks`() async throws {
        stubs.on(.get, "/volumes/1", try .json(encodable: Volume.first), times: .any)
        try await stubs.run { () async throws in
            let error = await Task.detached { () -> (any Error)? in
                let request = VolumeRequest(1)
                request.session = Unreachable()
                do { _ = try await request.start().value } catch { return error }
                return nil
            }.value
            #expect((error as? ErrandError)?.reason == "the session received a request")
        }
        #expect(stubs.requests.isEmpty)
    }

    @Test func `stubs apply to pages, including prefetched ones`() async throws {
        stubs.on(.get, "/volumes", where: .query("page", "1"), try .json(encodable: [Volume.first]))
        stubs.on(.get, "/volumes", where: .query("page", "2"), try .json(encodable: [Volume.second]))
        stubs.on(.get, "/volumes", where: .query("page", "3"), .json("[]"))
        let volumes = try await stubs.run { () async throws in
            let pages = Pages(.pageNumber(size: 1), prefetch: true) { _ in VolumesRequest() }
            return try await pages.items.reduce(into: []) { $0.append($1) }
        }
        #expect(volumes == [.first, .second])
    }

    @Test func `stubs apply to requests of a token refresh`() async throws {
        stubs.on(.post, "/grant", .text("t1"), times: .once)
        stubs.on(.get, "/volumes/1", where: .header("Authorization", "Bearer t1")) { _ in
            try .json(encodable: Volume.first)
        }
        let authentication = TokenAuthentication { _ in
            let grant = ShelfRequest("/grant")
            grant.method = .post
            return AccessToken(try await grant.start().value.text())
        }
        try await stubs.run { () async throws in
            try await withThrowingTaskGroup(of: Volume.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        let request = VolumeRequest(1)
                        request.interceptors = [authentication]
                        return try await request.start().value
                    }
                }
                for try await volume in group { #expect(volume == .first) }
            }
        }
    }

    @Test func `an inner scope replaces the stubs of the outer scope`() async throws {
        let inner = RouteStubs()
        stubs.on(.get, "/volumes/1", try .json(encodable: Volume.first))
        inner.on(.get, "/v1/volumes/1", try .json(encodable: Volume.second))
        try await stubs.run { () async throws in
            #expect(RouteStubs.current === stubs)
            #expect(try await inner.run { try await VolumeRequest(1).start().value } == .second)
            #expect(try await VolumeRequest(1).start().value == .first)
        }
        #expect(RouteStubs.current == nil)
    }

    @Test func `stubs can be used as a session without a scope`() async throws {
        stubs.on(.get, "/volumes/1", try .json(encodable: Volume.first))
        let request = VolumeRequest(1)
        request.session = stubs
        #expect(try await request.start().value == .first)
        try stubs.verify()
    }

    @Test func `stubs can be used as the last interceptor without a scope`() async throws {
        stubs.on(.get, "/volumes/1", try .json(encodable: Volume.first))
        stubs.on(.get, "/lines", .text("one\ntwo\n"))
        let request = VolumeRequest(1)
        request.interceptors = [stubs]
        #expect(try await request.start().value == .first)
        let stream = WatchShelfRequest("/lines")
        stream.interceptors = [stubs]
        let lines = try await stream.startStream().lines().reduce(into: []) { $0.append($1) }
        #expect(lines == ["one", "two"])
        try stubs.verify()
    }

    @Test func `a cancelled request does not wait for a handler that ignores cancellation`() async throws {
        let (entered, never) = (Gate(), Gate())
        stubs.on(.get, "/volumes/1") { _ in
            try await entered.pass()
            await Task.detached { try? await never.pass() }.value
            return .status(200)
        }
        entered.open()
        try await stubs.run { () async throws in
            let waiting = Task { try await VolumeRequest(1).start().value }
            try await entered.waitForArrivals(1)
            waiting.cancel()
            let error = await thrown { _ = try await waiting.value }
            #expect(error?.code == .cancelled)
        }
        never.open()
    }
}

/// A session that must not receive a request.
private struct Unreachable: Transport {
    func send(_ request: TransportRequest) async throws -> DataResponse {
        throw ErrandError(.unsupportedByTransport, reason: "the session received a request")
    }
}
