extension URLComponents {
    /// `Host` as it will be sent: without the port that the scheme implies.
    var hostField: String? {
        let implied = scheme?.lowercased() == "https" ? 443 : 80
        return percentEncodedHost.map { host in port.flatMap { $0 == implied ? nil : "\(host):\($0)" } ?? host }
    }
}
