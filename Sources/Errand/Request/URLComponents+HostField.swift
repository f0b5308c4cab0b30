extension URLComponents {
    /// The value of the `Host` field as it is sent: without the scheme's default port, and without the zone of an IPv6
    /// address, which has a meaning only on this machine (RFC 6874, section 4).
    package var hostField: String? {
        let implied = scheme?.lowercased() == "https" ? 443 : 80
        return percentEncodedHost.map { host in
            let host = host.withoutZone
            return port.flatMap { $0 == implied ? nil : "\(host):\($0)" } ?? host
        }
    }
}

extension StringProtocol {
    /// A host, with or without a port, without the zone of its IPv6 address: `[fe80::1%25eth0]:80` is `[fe80::1]:80`.
    package var withoutZone: String {
        guard first == "[", let zone = firstIndex(of: "%"), let end = self[zone...].firstIndex(of: "]") else {
            return String(self)
        }
        return String(self[..<zone]) + String(self[end...])
    }
}
