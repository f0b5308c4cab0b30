import Foundation

extension URL {
    /// What an error says when no process listens at this URL.
    var refusal: String { "connection refused by \(host ?? ""):\(port ?? 80)" }
}
