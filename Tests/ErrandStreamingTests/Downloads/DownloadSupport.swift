import ErrandMockServer
import ErrandTesting
import TestSupport

@testable import Errand

/// A directory that is deleted with its last reference.
final class DownloadFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("errand-\(UUID().uuidString)")
    var target: URL { url.appendingPathComponent("book.pdf") }
    var partial: URL { url.appendingPathComponent(".book.pdf.errand-partial") }
    var record: URL { url.appendingPathComponent(".book.pdf.errand-resume") }

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The names of all files in it, including hidden ones.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }

    /// The content of the file at the target's path.
    var content: Data? { try? Data(contentsOf: target) }
    /// The part of the file that was downloaded.
    var part: Data? {
        get { try? Data(contentsOf: partial) }
        set { try? newValue?.write(to: partial) }
    }

    func changeRecord(_ change: (inout PartialRecord) -> Void) throws {
        var changed = try JSONDecoder().decode(PartialRecord.self, from: Data(contentsOf: record))
        change(&changed)
        try JSONEncoder().encode(changed).write(to: record)
    }
}

/// A request for a file, with properties that tests change.
final class BookRequest: APIBase, Errand.Request {
    let target: URL
    var digest: FileDigest?
    var disk = DownloadDisk.system

    init(_ server: URL?, to target: URL) {
        self.target = target
        super.init()
        baseURL = server
        timeoutInterval = .hangGuard
        path = "/book"
    }

    func start() -> Pipeline<DownloadedFile, any Error> {
        sendDownload(to: target, digest: digest, of: nil, disk: disk)
    }
}

/// A request that is not a download.
final class OtherRequest: APIBase, Errand.Request {
    init(_ server: URL) {
        super.init()
        baseURL = server
        timeoutInterval = .hangGuard
        path = "/other"
    }

    func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
}

/// A server of one file, which handles ranges as RFC 9110 specifies.
struct BookServer {
    let server: MockServer
    /// The faults of the next responses, in order. Later responses have no fault.
    let faults: Locked<[MockFault?]>
    let book: Locked<Book>

    struct Book: Sendable {
        var content: Data
        var validators: HeaderFields = ["ETag": "\"one\""]
        /// Further fields of each response.
        var fields: HeaderFields = [:]
        var isChunked = false
    }

    init(_ content: Data = BookServer.content, faults: [MockFault?] = []) throws {
        server = try MockServer()
        let faults = Locked(faults)
        let book = Locked(Book(content: content))
        (self.faults, self.book) = (faults, book)
        server.on(.get, "/book") { request in
            let response = book.withLock { $0 }.response(to: request)
            let fault = faults.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            return fault.map(response.with(fault:)) ?? response
        }
    }

    static let content = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) })

    /// The `Range` of each request so far.
    var ranges: [String?] { server.requests.map { $0.headers["Range"] } }

    func request(to folder: DownloadFolder) -> BookRequest { BookRequest(server.url, to: folder.target) }
}

extension BookServer.Book {
    func response(to request: MockRequest) -> MockResponse {
        var first = 0
        let condition = request.headers["If-Range"]
        if let range = request.headers["Range"], validators.contains(where: { $0.value == condition }) {
            first = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
            guard first < content.count else {
                return .status(416).with(header: "Content-Range", "bytes */\(content.count)")
            }
        }
        let rest = content.dropFirst(first)
        var response = MockResponse(
            statusCode: first > 0 ? 206 : 200, headers: validators.merging(fields),
            body: isChunked ? .chunked([Data(rest)]) : .sized(Data(rest)))
        if first > 0 {
            response.headers["Content-Range"] = "bytes \(first)-\(content.count - 1)/\(content.count)"
        }
        return response
    }
}
