/// The way in which a stream separates its JSON texts.
public enum JSONFraming: Hashable, Sendable {
    /// One text per line, `application/x-ndjson`, also called JSON Lines.
    ///
    /// A line ends with LF; a CR before it is white space. Blank lines are skipped. The last line may lack its LF.
    case newlineDelimited
    /// A JSON text sequence, `application/json-seq` (RFC 7464): a record separator, U+001E, before each text and an LF
    /// after it.
    ///
    /// A text may contain line breaks. After a truncated text, the next one begins at the next record separator. A
    /// number, `true`, `false` or `null` without white space after it may be truncated, and is an error (section 2.4).
    case textSequence
    /// One JSON array, `application/json`, whose elements are the values. The array is not kept in memory, only one
    /// element and one piece of the body.
    ///
    /// A body that ends before the array does, or that continues after the array, ends with an error after the complete
    /// elements.
    case array
}
