extension ContentType {
    /// `application/json` (RFC 8259).
    public static let json = registered("application/json")
    /// `application/problem+json`, a description of an error (RFC 9457).
    public static let problemJSON = registered("application/problem+json")
    /// `application/merge-patch+json`, a document with the changes to a resource (RFC 7396).
    public static let mergePatchJSON = registered("application/merge-patch+json")
    /// `application/json-patch+json`, a list of changes (RFC 6902).
    public static let jsonPatch = registered("application/json-patch+json")
    /// `application/x-ndjson`, a JSON document in each line.
    public static let ndjson = registered("application/x-ndjson")
    /// `application/x-www-form-urlencoded`, the fields of a form as in a query.
    public static let formURLEncoded = registered("application/x-www-form-urlencoded")
    /// `multipart/form-data`, form fields and files (RFC 7578), without the required boundary.
    public static let multipartFormData = registered("multipart/form-data")
    /// `application/octet-stream`, bytes of an unknown type.
    public static let octetStream = registered("application/octet-stream")
    /// `application/xml` (RFC 7303).
    public static let xml = registered("application/xml")
    /// `application/x-plist`, a property list in any of its formats. No media type is registered for it.
    public static let propertyList = registered("application/x-plist")
    /// `application/pdf`.
    public static let pdf = registered("application/pdf")
    /// `application/zip`.
    public static let zip = registered("application/zip")
    /// `application/gzip` (RFC 6713).
    public static let gzip = registered("application/gzip")
    /// `text/plain`.
    public static let plainText = registered("text/plain")
    /// `text/html`.
    public static let html = registered("text/html")
    /// `text/css`.
    public static let css = registered("text/css")
    /// `text/csv` (RFC 4180).
    public static let csv = registered("text/csv")
    /// `text/javascript` (RFC 9239).
    public static let javaScript = registered("text/javascript")
    /// `text/event-stream`, server-sent events.
    public static let eventStream = registered("text/event-stream")
    /// `image/png`.
    public static let png = registered("image/png")
    /// `image/jpeg`.
    public static let jpeg = registered("image/jpeg")
    /// `image/gif`.
    public static let gif = registered("image/gif")
    /// `image/webp` (RFC 9649).
    public static let webp = registered("image/webp")
    /// `image/svg+xml`.
    public static let svg = registered("image/svg+xml")
    /// `audio/mpeg`.
    public static let mp3 = registered("audio/mpeg")
    /// `video/mp4`.
    public static let mp4 = registered("video/mp4")
    /// `*/*`, the range of all types.
    public static let any = registered("*/*")

    /// Returns a type from a text that is known to be valid.
    private static func registered(_ essence: StaticString) -> ContentType { ContentType(stringLiteral: "\(essence)") }

    /// Returns the type of a file from its extension; `application/octet-stream` if the extension is unknown.
    package static func guessed(for file: URL) -> ContentType {
        byExtension[file.pathExtension.asciiLowercased] ?? .octetStream
    }

    private static let byExtension: [String: ContentType] = [
        "json": .json, "ndjson": .ndjson, "xml": .xml, "plist": .propertyList, "pdf": .pdf, "zip": .zip, "gz": .gzip,
        "txt": .plainText,
        "html": .html, "htm": .html, "css": .css, "csv": .csv, "js": .javaScript, "png": .png, "jpg": .jpeg,
        "jpeg": .jpeg, "gif": .gif, "webp": .webp, "svg": .svg, "mp3": .mp3, "mp4": .mp4,
    ]
}
