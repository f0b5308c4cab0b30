extension URLComponents {
    /// The value of the `Host` field as it is sent: without the scheme's default port.
    var hostField: String? {
        let implied = scheme?.lowercased() == "https" ? 443 : 80
        return percentEncodedHost.map { host in port.flatMap { $0 == implied ? nil : "\(host):\($0)" } ?? host }
    }
}
