#if canImport(CCurl)
import Testing

@testable import Errand

struct `Recently used hosts` {
    private let nothing = CurlAdmission(originLimit: 1, limit: 1)

    private func hosts(_ capacity: Int, _ configured: [String: [String]] = [:]) -> CurlRecentHosts {
        var configuration = CurlConfiguration()
        configuration.maximumConnections = capacity
        configuration.resolvedHosts = configured
        return CurlRecentHosts(configuration)
    }

    /// An admission with an active transfer to an origin.
    private func admission(to origin: String) throws -> CurlAdmission {
        var admission = CurlAdmission(originLimit: 1, limit: 1)
        let request = TransportRequest(URLRequest(url: try #require(URL(string: origin))))
        #expect(admission.admit(try CurlTransfer(request), to: origin + "/"))
        return admission
    }

    @Test func `the first use of a host is reported`() {
        var hosts = hosts(3)
        let names = ["a", "a", "b", "a", "c", "a", "b", "d", "e", "f", "b", "c"]
        let first = names.map { hosts.use("http://\($0):80", nothing).isFirst }
        #expect(first == [true, false, true, false, true, false, false, true, true, true, false, true])
    }

    @Test func `after twenty thousand hosts, fewer than twice the capacity are kept`() {
        var hosts = hosts(100)
        var (kept, most) = (0, 0)
        for number in 0..<20_000 {
            kept += 1 - hosts.use("https://host\(number).example:443", nothing).removals.count
            most = max(most, kept)
        }
        #expect(most == 199)
    }

    @Test func `hosts are removed in the order of their latest use`() {
        var hosts = hosts(2)
        let removals = ["a", "b", "a", "c", "d", "e"].map { Set(hosts.use("http://\($0):80", nothing).removals) }
        #expect(removals == [[], [], [], ["-b:80"], [], ["-a:80", "-c:80"]])
    }

    @Test func `a host with an active transfer is removed only after the transfer`() throws {
        var hosts = hosts(1)
        let admission = try admission(to: "https://a:443")
        #expect(hosts.use("http://a:443", admission).removals == [])
        #expect(hosts.use("http://b:80", admission).removals == [])
        #expect(hosts.use("http://c:80", admission).removals == ["-b:80"])
        #expect(Set(hosts.use("http://d:80", nothing).removals) == ["-a:443", "-c:80"])
    }

    @Test func `configured hosts and IPv6 addresses are never removed`() {
        var hosts = hosts(1, ["Given.example:80": ["127.0.0.1"]])
        for origin in ["http://given.example:80", "http://[::1]:80", "http://a:80"] {
            #expect(hosts.use(origin, nothing).removals == [])
        }
        #expect(hosts.use("http://b:80", nothing).removals == ["-a:80"])
    }
}
#endif
