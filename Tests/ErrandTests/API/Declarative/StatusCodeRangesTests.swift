import Errand
import TestSupport
import Testing

/// Ranges of any width as `acceptedStatusCodes` of a service or a request.
@Suite(.hangGuard) struct `A range of accepted status codes` {
    private struct Accepting<Codes: Sendable>: DeclarativeRequest {
        typealias Output = Data
        let baseURL = "https://api.example.com"
        let acceptedStatusCodes: Codes
    }

    private struct Home<Codes: Sendable>: APIService {
        let baseURL = "https://api.example.com"
        let session: any Transport
        let acceptedStatusCodes: Codes
    }

    private struct Plain: DeclarativeRequest {
        typealias Output = Data
    }

    /// Returns the accepted statuses, once as a property of a request and once of a service.
    private func accepted(_ codes: some Sendable) async throws -> [Int] {
        var accepted: [Int] = []
        for statusCode in [200, 299, 300, 404, 599, 999] {
            let transport = RecordingTransport(response: DataResponse(statusCode: statusCode))
            let service = Home(session: transport, acceptedStatusCodes: codes)
            let request = Accepting(acceptedStatusCodes: codes)
            let byService = await passes { try await Plain().schedule(with: service).value }
            let byRequest = await passes {
                try await request.schedule(with: Home(session: transport, acceptedStatusCodes: Int?.none)).value
            }
            #expect(byService == byRequest)
            if byService { accepted.append(statusCode) }
        }
        return accepted
    }

    private func passes(_ send: () async throws -> Data) async -> Bool {
        do {
            _ = try await send()
            return true
        } catch {
            #expect((error as? ErrandError)?.code == .unacceptableStatusCode)
            return false
        }
    }

    @Test func `a range of accepted status codes can be as wide as Int`() async throws {
        #expect(try await accepted(0...Int.max) == [200, 299, 300, 404, 599, 999])
        #expect(try await accepted(Int.min..<300) == [200, 299])
        #expect(try await accepted(300...) == [300, 404, 599, 999])
    }

    @Test func `a range of accepted status codes can have no lower bound`() async throws {
        #expect(try await accepted(..<300) == [200, 299])
        #expect(try await accepted(...300) == [200, 299, 300])
    }

    @Test func `a range of accepted status codes after 999 accepts no response`() async throws {
        #expect(try await accepted(1_001...) == [])
        #expect(try await accepted(1_000...2_000) == [])
    }
}
