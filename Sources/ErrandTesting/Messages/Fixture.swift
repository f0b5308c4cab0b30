public import Errand

/// The body of a stub or of a mock server's response, read from a file next to the source of a test or in a bundle.
///
/// ```swift
/// let request = BooksRequest(author: "Le Guin")
/// request.dataTaskPipeline = try request.stubResponse(fixture: Fixture("Fixtures/books.json"))
/// ```
///
/// The file is read when the fixture is created. Files next to a source file exist only on the machine that compiled
/// the test. A test that runs elsewhere, such as on a phone, must have its files in a bundle.
public struct Fixture: Sendable {
    /// The file that was read.
    public let file: URL
    /// The bytes of the file.
    public let data: Data
    /// The media type for the file name's extension; `application/octet-stream` for an unknown extension.
    public var contentType: ContentType

    /// Reads a file whose path is relative to the folder of a source file.
    ///
    /// - Parameters:
    ///   - path: The path from the folder of `source`, such as `Fixtures/books.json`.
    ///   - source: The path of the source file; by default, the file that contains the call.
    /// - Throws: `ErrandError` with `fileAccessFailed` and the path, if the file is missing or cannot be read.
    public init(_ path: String, beside source: String = #filePath) throws(ErrandError) {
        let folder = URL(fileURLWithPath: source).deletingLastPathComponent()
        try self.init(contentsOf: folder.appendingPathComponent(path))
    }

    /// Reads a file in a bundle.
    ///
    /// ```swift
    /// let books = try Fixture("Fixtures/books.json", in: .module)
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path in the bundle. For resources of a package, `.copy` preserves folders, and `.process` does
    ///     not.
    ///   - bundle: The bundle, such as `.module`.
    /// - Throws: `ErrandError` with `fileAccessFailed` and the path, if the file is missing or cannot be read.
    public init(_ path: String, in bundle: Bundle) throws(ErrandError) {
        try self.init(contentsOf: (bundle.resourceURL ?? bundle.bundleURL).appendingPathComponent(path))
    }

    /// Reads a file.
    ///
    /// - Parameter file: The URL of the file.
    /// - Throws: `ErrandError` with `fileAccessFailed` and the path, if the file is missing or cannot be read.
    public init(contentsOf file: URL) throws(ErrandError) {
        self.file = file.standardizedFileURL
        contentType = .guessed(for: file)
        do {
            data = try Data(contentsOf: self.file)
        } catch {
            let exists = FileManager.default.fileExists(atPath: self.file.path)
            throw ErrandError(
                .fileAccessFailed,
                reason: exists
                    ? "the fixture at \(self.file.path) cannot be read" : "there is no fixture at \(self.file.path)",
                underlyingError: error)
        }
    }
}

extension Stubbable {
    /// Creates a stub that responds with the content of a file: like `stubResponse`, with the `Content-Type` of the
    /// fixture unless `headers` contains one.
    public func stubResponse(
        statusCode: Int = 200, fixture: Fixture, headers: HeaderFields = [:]
    ) -> Pipeline<DataResponse, any Error> {
        let type: HeaderFields = ["Content-Type": fixture.contentType.description]
        return stubResponse(statusCode: statusCode, data: fixture.data, headers: type.merging(headers))
    }
}

extension Fixture: Confidential {
    /// The name, the media type and the size, without the content: `Fixture(books.json, application/json, 120 bytes)`.
    public var description: String { "Fixture(\(file.lastPathComponent), \(contentType), \(data.count) bytes)" }
}
