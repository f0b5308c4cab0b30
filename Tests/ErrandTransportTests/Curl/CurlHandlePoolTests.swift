#if canImport(CCurl)
import CCurl
import Testing

@testable import Errand

/// The pool that keeps the handles of libcurl for later transfers.
struct `Pool of libcurl handles` {
    /// Runs a body with a pool for this many connections.
    private func withPool(of connections: Int, _ body: (CurlHandlePool) throws -> Void) throws {
        #expect(ccurl_global_init() == CCURLE_OK)
        let multi = try #require(ccurl_multi_init())
        defer { ccurl_multi_cleanup(multi) }
        var configuration = CurlConfiguration()
        configuration.maximumConnections = connections
        let sockets = CurlSockets(multi, queue: -1, wakeup: -1, clock: Monotonic(), configuration: configuration)
        let pool = CurlHandlePool(configuration, sockets: sockets)
        try body(pool)
        pool.removeAll()
    }

    @Test func `a handle is used again`() throws {
        try withPool(of: 2) { pool in
            let first = pool.take()
            pool.give(back: first)
            #expect(pool.take() === first)
        }
    }

    @Test func `the pool keeps as many handles as there may be connections`() throws {
        try withPool(of: 3) { pool in
            let all = (0..<5).map { _ in pool.take() }
            for handle in all { pool.give(back: handle) }
            let again = (0..<5).map { _ in pool.take() }
            #expect(again.count { handle in all.contains { $0 === handle } } == 3)
            #expect(Set(again.map(ObjectIdentifier.init)).count == 5)
        }
    }

    @Test func `handles with an earlier client certificate are not used again`() throws {
        try withPool(of: 3) { pool in
            let (free, active) = (pool.take(), pool.take())
            pool.give(back: free)
            pool.renew(TLSConfiguration.Identity(certificate: .file("a.pem"), key: .file("a.key")))
            pool.give(back: active)
            let later = [pool.take(), pool.take()]
            #expect(!later.contains { $0 === free || $0 === active })
        }
    }
}
#endif
