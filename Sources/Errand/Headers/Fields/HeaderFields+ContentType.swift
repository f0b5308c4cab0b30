extension HeaderFields {
    /// The media type of the body, from `Content-Type`; `nil` if the field is missing or has no type.
    ///
    /// The field is parsed as in browsers (WHATWG MIME Sniffing, section 4.4). The last of several fields counts, and
    /// malformed parameters are skipped.
    public var contentType: ContentType? {
        self[values: Name.contentType.rawValue].last.flatMap { ContentType(lenient: $0) }
    }
}
