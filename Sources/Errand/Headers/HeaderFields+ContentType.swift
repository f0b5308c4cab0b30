extension HeaderFields {
    /// The media type of the body, from `Content-Type`; nil when there is no such field, or no type in it.
    ///
    /// It is read as browsers read it (WHATWG MIME Sniffing, section 4.4). The last of several fields counts, and a malformed
    /// parameter is skipped.
    public var contentType: ContentType? {
        self[values: Name.contentType.rawValue].last.flatMap { ContentType(lenient: $0) }
    }
}
