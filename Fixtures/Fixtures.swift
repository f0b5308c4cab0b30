import Foundation

/// The data of the example's server: a small town's users, and what they wrote.
public enum Fixtures {
    /// One collection, as a JSON array.
    ///
    /// - Parameter collection: `users`, `posts`, `comments`, `todos`, `albums` or `photos`.
    /// - Throws: What Foundation throws where there is no such file.
    public static func json(_ collection: String) throws -> Data {
        try Data(contentsOf: Bundle.module.bundleURL.appendingPathComponent("\(collection).json"))
    }
}
