extension HeaderFields {
    /// The length that the response declares for its content; `nil` if it is missing, or more than one.
    var declaredContentLength: Int64? {
        let values = Set(self[values: "Content-Length"])
        guard values.count == 1, let text = values.first, 1...18 ~= text.utf8.count,
            text.utf8.allSatisfy({ 0x30...0x39 ~= $0 })
        else { return nil }
        return Int64(text)
    }

    /// Whether the content has a content coding, so that its bytes are not those of the file.
    var hasContentCoding: Bool {
        self["Content-Encoding"].map { field in
            field.split(separator: ",").contains {
                !["identity", ""].contains($0.trimmingCharacters(in: .whitespaces).lowercased())
            }
        } ?? false
    }
}
