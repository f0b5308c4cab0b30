#if canImport(CCurl)
import CCurl
import Testing

@testable import Errand

struct `The system's name service` {
    private func library(_ number: UInt32) -> CurlLibrary {
        CurlLibrary(number: number, features: CCURL_VERSION_HTTP2, tls: "OpenSSL/3.0.16")
    }

    @Test func `Errand looks up names itself only for libcurl versions that block on a lookup`() throws {
        let function = CurlHostLookups.function(of: .system, with: library(0x075600))
        #expect(function != nil)
        #expect(CurlHostLookups.function(of: .system, with: library(0x075700)) == nil)
    }

    @Test func `a system lookup returns the addresses of the hosts file`() async throws {
        let function = try #require(CurlHostLookups.function(of: .system, with: library(0x074C01)))
        let host = try await function("localhost")
        #expect(!host.addresses.isEmpty)
        #expect(host.addresses.allSatisfy { ["127.0.0.1", "::1"].contains($0) })
    }

    @Test func `a failed system lookup has a reason`() async throws {
        // An invalid name, which needs no name server.
        await #expect(throws: SystemNames.Failure.self) {
            try await SystemNames.addresses(of: "a..b")
        }
    }

    @Test func `libcurl looks up names itself with DNS over HTTPS`() throws {
        let url = try #require(URL(string: "https://127.0.0.1/dns-query"))
        #expect(CurlHostLookups.function(of: .https(url), with: library(0x074C01)) == nil)
    }
}
#endif
