extension HeaderFields {
    /// A description of the first field whose name or value has a line break; `nil` without one. Such a field would be
    /// several lines in an HTTP message, so no server or client can send it.
    package var lineBreak: String? {
        for field in self {
            if field.name.hasLineBreak { return "a line break in the name of the header field \"\(field.name)\"" }
            if field.value.hasLineBreak { return "a line break in the header field \"\(field.name)\"" }
        }
        return nil
    }
}
