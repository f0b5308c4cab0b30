import Errand

extension ErrandError {
    /// The text of the error in the report of a test.
    ///
    /// If a stub or a server on this machine has responded, the text is `revealed`, without the values that a cassette
    /// hides by default in header fields, in the query and in the body. Otherwise, and while a cassette records, it is
    /// the description.
    package var textInTest: String {
        guard isRevealedInTests else { return description }
        let redactor = Redactor(Cassette.Redaction())
        let request = HAR.Request(method: "GET", url: exactURL?.redacted(query: \.self).absoluteString ?? "")
        let type = headers["Content-Type"] ?? ""
        let response = redactor.redacted(
            HAR.Response(
                status: 0, headers: headers.map { HAR.Pair($0.name, $0.value) },
                content: HAR.Content(bodyPrefix, mimeType: type)))
        let body = response.content.data ?? Data()
        return revealed(
            url: exactURL.map { _ in redactor.redacted(request).url },
            headers: HeaderFields(response.headers.map { HeaderFields.Field($0.name, $0.value) }),
            document: body.isEmpty ? nil : Self.text(of: body))
    }

    private var isRevealedInTests: Bool {
        switch peer {
        case .stub: true
        case .recordedServer: false
        case .server: exactURL?.host()?.lowercased().isLoopback == true
        }
    }
}
