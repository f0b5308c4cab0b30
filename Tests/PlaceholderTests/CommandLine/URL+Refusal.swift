import Foundation

extension URL {
    /// The text of the error when no process listens at this URL.
    var refusal: String { "connection refused by \(host ?? ""):\(port ?? 80)" }
}
