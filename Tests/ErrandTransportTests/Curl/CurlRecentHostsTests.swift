#if canImport(CCurl)
import Testing

@testable import Errand

struct `Recently used hosts` {
    private func hosts(_ capacity: Int, _ configured: [String: [String]] = [:]) -> CurlRecentHosts {
        var configuration = CurlConfiguration()
        configuration.maximumConnections = capacity
        configuration.resolvedHosts = configured
        return CurlRecentHosts(configuration)
    }

    @Test func `the first use of a host is reported`() {
        var hosts = hosts(3)
        let names = ["a", "a", "b", "a", "c", "a", "b", "d", "e", "f", "b", "c"]
        let first = names.map { hosts.use("http://\($0):80") { _ in false }.isFirst }
        #expect(first == [true, false, true, false, true, false, false, true, true, true, false, true])
    }

    @Test func `after twenty thousand hosts, fewer than twice the capacity are kept`() {
        var hosts = hosts(100)
        var (kept, most) = (0, 0)
        for number in 0..<20_000 {
            kept += 1 - hosts.use("https://host\(number).example:443") { _ in false }.removals.count
            most = max(most, kept)
        }
        #expect(most == 199)
    }

    @Test func `hosts are removed in the order of their latest use`() {
        var hosts = hosts(2)
        let removals = ["a", "b", "a", "c", "d", "e"].map { Set(hosts.use("http://\($0):80") { _ in false }.removals) }
        #expect(removals == [[], [], [], ["-b:80"], [], ["-a:80", "-c:80"]])
    }

    @Test func `a host with a request is removed only after the request`() {
        var hosts = hosts(1)
        #expect(hosts.use("http://a:443") { $0 == "a:443" }.removals == [])
        #expect(hosts.use("http://b:80") { $0 == "a:443" }.removals == [])
        #expect(hosts.use("http://c:80") { $0 == "a:443" }.removals == ["-b:80"])
        #expect(Set(hosts.use("http://d:80") { _ in false }.removals) == ["-a:443", "-c:80"])
    }

    @Test func `configured hosts and IPv6 addresses are never removed`() {
        var hosts = hosts(1, ["Given.example:80": ["127.0.0.1"]])
        for origin in ["http://given.example:80", "http://[::1]:80", "http://a:80"] {
            #expect(hosts.use(origin) { _ in false }.removals == [])
        }
        #expect(hosts.use("http://b:80") { _ in false }.removals == ["-a:80"])
    }
}
#endif
