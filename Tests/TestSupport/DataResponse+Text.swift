package import Errand

extension DataResponse {
    /// The body as UTF-8 text.
    package var text: String { String(decoding: data, as: UTF8.self) }
}
