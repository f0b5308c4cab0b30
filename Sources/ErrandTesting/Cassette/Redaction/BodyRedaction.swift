import Errand

/// Removes the secrets from bodies that are JSON or forms.
struct BodyRedaction {
    let names: SecretNames

    /// The text that replaces a value. It contains no asterisk, so that it can be used as a token during replay.
    private static let word = "redacted"

    /// Returns the body without secrets. A body of another type is unchanged.
    func redacted(_ body: Data, mimeType: String) -> Data {
        let type = ContentType(lenient: mimeType)
        if type?.isForm == true {
            return Data(names.redacted(form: String(decoding: body, as: UTF8.self), hiddenAs: Self.word).utf8)
        }
        guard type?.isJSON == true else { return body }
        // The rest after the first invalid byte cannot be searched, and is removed.
        var redaction = JSONRedaction(Array(body), names, hiddenAs: Self.word, number: "0")
        return Data(redaction.redacted().bytes)
    }
}

extension Cassette.Redaction {
    /// Checks that each body is JSON, a form, or of a type that the test keeps.
    ///
    /// - Throws: ``ErrandError`` with `notRecorded`.
    func check(_ entries: [HAR.Entry], of file: URL) throws(ErrandError) {
        for entry in entries {
            let bodies = [
                ("request body", entry.request.postData?.data, entry.request.postData?.mimeType),
                ("response body", entry.response.content.data, entry.response.content.mimeType),
            ]
            for (what, body, type) in bodies where body?.isEmpty == false && !keeps(type ?? "") {
                let name = type.flatMap { $0.isEmpty ? nil : $0 } ?? "no type"
                throw ErrandError(
                    .notRecorded,
                    reason: "\(file.lastPathComponent) was not written: the \(what) of \(entry.request.method) "
                        + "\(entry.request.url) has \(name). Secrets are found only in JSON and forms; "
                        + "`keptTypes` of the redaction allows other types")
            }
        }
    }

    /// Returns `true` if a body of this type is kept: JSON, a form, or a type of ``keptTypes``.
    func keeps(_ mimeType: String) -> Bool {
        let type = ContentType(lenient: mimeType)
        if type?.isJSON == true || type?.isForm == true { return true }
        let names = [type?.essence ?? "", "\(type?.type ?? "")/*", "*/*"]
        return keptTypes.contains { names.contains($0.lowercased()) }
    }
}
