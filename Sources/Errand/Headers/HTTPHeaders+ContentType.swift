extension HTTPHeaders {
    /// The media type of the body, from `Content-Type`; nil when there is no such field, or no type in it.
    ///
    /// A field that is repeated against the rules counts the last time, as browsers read it; of one whose parameters are
    /// broken, type and subtype count.
    public var contentType: MediaType? {
        self[values: Name.contentType.rawValue].last.flatMap { MediaType(lenient: $0) }
    }
}
