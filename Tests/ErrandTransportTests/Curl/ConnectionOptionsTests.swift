#if canImport(CCurl)
import CCurl
import TestSupport
import Testing

@testable import Errand

struct `The options of a connection` {
    private func fault(
        _ version: UInt32 = 0x080500, _ change: (inout CurlConfiguration) -> Void = { _ in }
    ) -> ErrandError? {
        var configuration = CurlConfiguration()
        change(&configuration)
        let version = CurlLibrary(number: version, features: .max, tls: "OpenSSL/3.0.16")
        return ConnectionOptions.fault(in: configuration, for: version)
    }

    @Test func `the default connection options are valid`() {
        #expect(fault() == nil)
        #expect(fault(0x074C00) == nil)
    }

    @Test func `connection options require a recent libcurl`() {
        #expect(fault(0x074B01)?.reason == "libcurl 7.75.1 is too old: Errand needs 7.76 or later")
        let lifetime = fault(0x074F01) { $0.connectionLifetime = .seconds(1) }
        #expect(lifetime?.reason == "libcurl 7.79.1 is too old: connectionLifetime needs 7.80 or later")
        #expect(lifetime?.code == .unsupportedByTransport)
        let http2 = fault(0x075700) { $0.version = .http2PriorKnowledge }
        #expect(http2?.code == .unsupportedByTransport)
    }

    @Test func `a duration has as many milliseconds as libcurl accepts, and at least one`() {
        #expect(CurlHandle.milliseconds(.max) == Int(Int32.max))
        #expect(CurlHandle.milliseconds(1_999_999_999) == 1_999)
        #expect(CurlHandle.milliseconds(0) == 1)
    }

    @Test(arguments: [
        "host", "host:", ":443", "host:https", "host:70000", "host:+443", "host:-1", "host: 443", "+host:443",
        "-host:443", "[::1]:443", "a b:443", "a\n:443", "a\u{0}:443", "host:443:443", "",
    ])
    func `a key of resolvedHosts without a host and port is rejected`(_ key: String) {
        let error = fault { $0.resolvedHosts = [key: ["127.0.0.1"], "right.example:443": ["::1"]] }
        #expect(error?.code == .invalidSetting)
        let shown = key.replacing("\n", with: "\\n").replacing("\0", with: "\\u{0}")
        #expect(error?.reason == "resolvedHosts has \"\(shown)\", which is not HOST:PORT")
    }

    @Test(arguments: [
        "", " ", "localhost", "127.0.0", "127.0.0.1:80", "127.0.0.1,127.0.0.2", "256.0.0.1", "1.2.3.4 ", "[127.0.0.1]",
        "[::1", "::1]", "[]", "::1%eth0", "::g", "1.2.3.4\n", "1.2.3.4\u{0}",
    ])
    func `a value of resolvedHosts that is not an IP address is rejected`(_ address: String) {
        let error = fault { $0.resolvedHosts = ["a.example:80": ["127.0.0.1", address], "b.example:443": ["::1"]] }
        #expect(error?.code == .invalidSetting)
        let shown = address.replacing("\n", with: "\\n").replacing("\0", with: "\\u{0}")
        #expect(error?.reason == "resolvedHosts has \"\(shown)\" for \"a.example:80\", which is not an IP address")
    }

    @Test func `a host without addresses is rejected`() {
        let error = fault { $0.resolvedHosts = ["a.example:80": []] }
        #expect(error?.code == .invalidSetting)
        #expect(error?.reason == "resolvedHosts has no address for \"a.example:80\"")
    }

    @Test(arguments: ["127.0.0.1", "::1", "[::1]", "::ffff:1.2.3.4", "fe80::1"])
    func `a value of resolvedHosts may be any IP address`(_ address: String) {
        #expect(fault { $0.resolvedHosts = ["a.example:80": [address], "é.example:80": [address]] } == nil)
    }

    @Test func `a limit of zero connections is rejected`() {
        #expect(fault { $0.maximumConnections = 0 }?.code == .invalidSetting)
        #expect(fault { $0.maximumConnectionsPerHost = 0 }?.code == .invalidSetting)
    }

    /// libcurl has no option 1.
    @Test func `an option that libcurl rejects makes the handle refuse every request`() throws {
        let easy = try #require(ccurl_easy_init())
        let handle = CurlHandle(easy, .http1, generation: 0)
        #expect(handle.canBeUsedAgain)
        handle.set(1, 1)
        #expect(handle.refusal?.code == .unsupportedByTransport)
        #expect(handle.refusal?.reason?.contains("does not take the option 1: ") == true)
        #expect(!handle.canBeUsedAgain)
    }
}
#endif
