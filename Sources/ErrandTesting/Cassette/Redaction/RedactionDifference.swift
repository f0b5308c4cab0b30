import Errand

/// Finds the places in which a recorded message differs from the original.
///
/// Names are taken from the recorded message, so that a place reveals nothing that is not in the file.
enum RedactionDifference {
    static func places(_ original: HAR.Request, _ kept: HAR.Request) -> [HAR.RedactedValue] {
        let places =
            names(ofURL: original.url, kept.url).map { HAR.RedactedValue(.requestURL, $0) }
            + names(of: original.headers, kept.headers).map { HAR.RedactedValue(.requestHeader, $0) }
            + names(ofBody: original.postData?.data, kept.postData?.data, original.postData?.mimeType)
            .map { HAR.RedactedValue(.requestBody, $0) }
        return places.unique
    }

    static func places(_ original: HAR.Response, _ kept: HAR.Response) -> [HAR.RedactedValue] {
        let places =
            names(ofURL: original.url ?? "", kept.url ?? "").map { HAR.RedactedValue(.responseURL, $0) }
            + names(of: original.headers, kept.headers).map { HAR.RedactedValue(.responseHeader, $0) }
            + names(ofBody: original.content.data, kept.content.data, original.content.mimeType)
            .map { HAR.RedactedValue(.responseBody, $0) }
        return places.unique
    }

    /// Returns the names of the header fields whose values differ. These names are not secret, so they include removed
    /// fields. `Content-Length` follows from the body.
    private static func names(of original: [HAR.Pair], _ kept: [HAR.Pair]) -> [String] {
        let names = (original + kept).map(\.name).filter { $0.lowercased() != "content-length" }
        return names.filter { name in
            original.filter { $0.name == name }.map(\.value) != kept.filter { $0.name == name }.map(\.value)
        }
    }

    private static func names(ofURL original: String, _ kept: String) -> [String] {
        let (one, other) = (original.parts, kept.parts)
        return (one.start == other.start ? [] : [""]) + names(ofItems: one.items, other.items)
    }

    private static func names(ofBody original: Data?, _ kept: Data?, _ mimeType: String?) -> [String] {
        guard let original, original != kept else { return [] }
        guard let kept else { return [""] }
        if ContentType(lenient: mimeType ?? "")?.isForm == true {
            return names(ofItems: original.formItems, kept.formItems)
        }
        guard let one = JSONValue(document: original), let other = JSONValue(document: kept) else { return [""] }
        return names(of: one, other, path: "")
    }

    /// Returns the names of the items that differ; an empty name if the items cannot be assigned to each other.
    private static func names(ofItems original: [Substring], _ kept: [Substring]) -> [String] {
        guard original.count == kept.count else { return [""] }
        return zip(original, kept).filter { $0 != $1 }.map { _, kept in
            kept.contains("=") ? kept.itemName : ""
        }
    }

    private static func names(of original: JSONValue, _ kept: JSONValue, path: String) -> [String] {
        switch (original, kept) {
        case (.object(let one), .object(let other)) where one.keys == other.keys:
            return other.keys.sorted().flatMap { key in
                names(of: one[key] ?? .null, other[key] ?? .null, path: path.isEmpty ? key : "\(path).\(key)")
            }
        case (.array(let one), .array(let other)) where one.count == other.count:
            return zip(one, other).flatMap { names(of: $0, $1, path: "\(path)[]") }
        default:
            return original == kept ? [] : [path]
        }
    }
}

extension [HAR.RedactedValue] {
    /// The places without duplicates, in the order of their first occurrence.
    var unique: [HAR.RedactedValue] {
        var seen: Set<HAR.RedactedValue> = []
        return filter { seen.insert($0).inserted }
    }
}

extension Data {
    fileprivate var formItems: [Substring] {
        String(decoding: self, as: UTF8.self).split(separator: "&", omittingEmptySubsequences: false)
    }
}

extension String {
    /// The part of a URL before its query, and the items of the query.
    var parts: (start: Substring, items: [Substring]) {
        let halves = split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let items = halves.count > 1 ? halves[1].split(separator: "&", omittingEmptySubsequences: false) : []
        return (halves.first ?? "", items)
    }
}

extension Substring {
    /// The decoded name of an item of a query or a form.
    var itemName: String { String(prefix { $0 != "=" }).formDecoded }
}
