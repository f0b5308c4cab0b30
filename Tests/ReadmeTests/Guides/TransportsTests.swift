import Errand
import Testing

#if os(Linux)
/// The samples of the page about transports. They are compiled but not run, because the servers do not exist.
struct `The guide to transports` {
    private struct Registry {
        func instances(of service: String) async throws -> [String] { [service] }
    }

    private struct Gauge {
        func record(_ connections: Int, idle: Int, waiting: Int) {}
    }

    private struct Checksum {
        let text = ""
    }

    private final class Upload: APIBase {
        init(_ pieces: AsyncStream<Data>, _ checksum: Checksum) {
            super.init()
            method = .put
            body = .stream(BodyStream(pieces, trailers: { ["X-Checksum": checksum.text] }))
        }
    }

    private func useNames(_ registry: Registry) -> CurlConfiguration {
        var configuration = CurlConfiguration()
        configuration.nameService = .function { host in
            ResolvedHost(addresses: try await registry.instances(of: host), timeToLive: .seconds(5))
        }
        return configuration
    }

    private func useConnections(_ gauge: Gauge, _ healthURL: URL, _ certificate: Data, _ key: Data) async throws {
        var configuration = CurlConfiguration()
        configuration.connectionLifetime = .seconds(600)
        configuration.localAddress = "192.0.2.7"
        let transport = CurlTransport(configuration)
        try await transport.warmUp(healthURL, connections: 4)
        let pool = await transport.poolMetrics()
        gauge.record(pool.connections, idle: pool.idleConnections, waiting: pool.waiting)
        transport.renewIdentity(.init(certificate: .data(certificate), key: .data(key)))
    }

    @Test func `the guide's samples configure a name service and trailers`() {
        let configuration = useNames(Registry())
        guard case .function = configuration.nameService else {
            Issue.record("the name service is no function")
            return
        }
        #expect(Upload(AsyncStream { $0.finish() }, Checksum()).method == .put)
    }
}
#endif
