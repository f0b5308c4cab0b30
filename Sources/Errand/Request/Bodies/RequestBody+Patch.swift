extension RequestBody {
    /// Creates a body from a list of changes, as `application/json-patch+json` (RFC 6902). It is encoded when the
    /// request is built.
    public static func jsonPatch(_ patch: JSONPatch) -> RequestBody {
        RequestBody(type: .jsonPatch) { _ in .data(try patchEncoder.encode(patch)) }
    }

    /// Creates a body from a document with the changes, as `application/merge-patch+json` (RFC 7396). It is encoded
    /// when the request is built.
    public static func mergePatch(_ patch: JSONMergePatch) -> RequestBody {
        RequestBody(type: .mergePatchJSON) { _ in .data(try patchEncoder.encode(patch)) }
    }

    /// An encoder that does not escape slashes, because the paths of a patch contain many.
    private static var patchEncoder: FastJSONEncoder { FastJSONEncoder(formatting: .withoutEscapingSlashes) }
}
