import Errand

/// The name of an object in its bucket: any text that is not empty, in which a slash is a letter as any other.
///
/// Stores show slashes as folders, and they stand in the path of the URL as they are. Everything else is escaped, so
/// that `a b+c%.txt` is one object and not another. A key with a segment of dots, such as `../secret`, would name
/// another resource if a server on the way normalizes the path: it is refused as every such path is, with `invalidURL`.
struct ObjectKey: Hashable, Sendable {
    let name: String

    init(_ name: String) {
        self.name = name
    }

    /// The key as a path after the bucket's.
    ///
    /// Segments may be empty, at the beginning too: `/a//b` is a key, and not the same as `a/b`. An empty key is
    /// refused when the request is built; its path would be that of the bucket.
    var path: RequestPath { "/\(RequestPath(escaping: name))" }
}

extension ObjectKey: ExpressibleByStringLiteral {
    init(stringLiteral name: String) {
        self.init(name)
    }
}
