import Errand

/// The name of an object in its bucket: any text that is not empty. A slash is a character like any other.
///
/// Stores show slashes as folders, and the path of the URL contains them unescaped. All other reserved characters are
/// escaped, so that `a b+c%.txt` names exactly one object. A key with a segment of dots, such as `../secret`, fails
/// with `invalidURL`, because a server that normalizes the path would use another resource.
struct ObjectKey: Hashable, Sendable {
    let name: String

    init(_ name: String) {
        self.name = name
    }

    /// The key as a path after the bucket's.
    ///
    /// Segments may be empty, also at the beginning: `/a//b` and `a/b` are different keys. An empty key fails when the
    /// request is built, because its path would be that of the bucket.
    var path: RequestPath { "/\(RequestPath(escaping: name))" }
}

extension ObjectKey: ExpressibleByStringLiteral {
    init(stringLiteral name: String) {
        self.init(name)
    }
}
