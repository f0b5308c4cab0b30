extension HeaderFields {
    /// The media type of the body, from `Content-Type`; nil when there is no such field, or no type in it.
    ///
    /// A field that is repeated against the rules counts the last time, as browsers read it; of one whose parameters are
    /// broken, type and subtype count.
    public var contentType: ContentType? {
        self[values: Name.contentType.rawValue].last.flatMap { ContentType(lenient: $0) }
    }
}
