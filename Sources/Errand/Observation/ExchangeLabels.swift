/// The labels of metrics that are known when an exchange begins. A value is compared faster than a dictionary.
struct ExchangeLabels: Hashable, Sendable {
    let method: String
    let address: String
    let port: ExchangeAttribute
    let scheme: String
    let template: String?

    /// The attributes of metrics.
    var attributes: [String: ExchangeAttribute] {
        spanAttributes.merging(["url.scheme": .text(scheme)]) { $1 }
    }

    /// The attributes that metrics and spans have.
    var spanAttributes: [String: ExchangeAttribute] {
        var attributes: [String: ExchangeAttribute] = [
            "http.request.method": .text(method), "server.address": .text(address), "server.port": port,
        ]
        if let template { attributes["url.template"] = .text(template) }
        return attributes
    }
}

/// The labels of metrics that are known when an exchange ends.
struct OutcomeLabels: Hashable, Sendable {
    var status: ExchangeAttribute?
    var errorType: String?
    var protocolVersion: String?

    /// The attributes of metrics.
    var attributes: [String: ExchangeAttribute] {
        var attributes: [String: ExchangeAttribute] = [:]
        if let status { attributes["http.response.status_code"] = status }
        if let errorType { attributes["error.type"] = .text(errorType) }
        if let protocolVersion { attributes["network.protocol.version"] = .text(protocolVersion) }
        return attributes
    }
}
