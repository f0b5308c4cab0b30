import Errand
import ErrandTesting
import TestSupport
import Testing

private final class FixtureRequest: APIBase, Request {
    override init() {
        super.init()
        baseURL = URL(string: "https://api.example.com")
    }

    func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
}

/// A folder that is deleted with its last reference.
private final class FixtureFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("errand-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(
            at: url.appendingPathComponent("Fixtures"), withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a source file in the folder.
    var source: String { url.appendingPathComponent("Tests.swift").path }

    func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: url.appendingPathComponent(path))
    }
}

struct `A fixture` {
    private let folder: FixtureFolder

    init() throws {
        folder = try FixtureFolder()
    }

    @Test func `a fixture is read from a file beside a source file`() throws {
        try folder.write("[1]", to: "Fixtures/list.json")
        let fixture = try Fixture("Fixtures/list.json", beside: folder.source)
        #expect(fixture.data == Data("[1]".utf8))
        #expect(fixture.contentType == .json)
        #expect(fixture.file.lastPathComponent == "list.json")
        #expect(
            try Fixture("../\(folder.url.lastPathComponent)/Fixtures/list.json", beside: folder.source).data.count == 3)
    }

    @Test(arguments: [
        ("a.json", "application/json"), ("a.JSON", "application/json"), ("a.xml", "application/xml"),
        ("a.txt", "text/plain"), ("a.png", "image/png"), ("a.odd", "application/octet-stream"),
        ("a", "application/octet-stream"),
    ])
    func `the content type of a fixture is derived from its extension`(_ name: String, _ type: String) throws {
        try folder.write("x", to: name)
        #expect(try Fixture(name, beside: folder.source).contentType.description == type)
    }

    @Test func `a missing fixture fails with the path that was searched`() throws {
        let error = #expect(throws: ErrandError.self) {
            try Fixture("Fixtures/none.json", beside: folder.source)
        }
        #expect(error?.code == .fileAccessFailed)
        let path = folder.url.standardizedFileURL.appendingPathComponent("Fixtures/none.json").path
        #expect(error?.reason == "there is no fixture at \(path)")
        #expect(error?.description.contains(path) == true)
    }

    @Test func `a fixture that is a folder cannot be read`() throws {
        let error = #expect(throws: ErrandError.self) { try Fixture("Fixtures", beside: folder.source) }
        #expect(error?.reason?.hasSuffix("/Fixtures cannot be read") == true)
    }

    @Test func `a fixture missing in a bundle fails with the path that was searched`() throws {
        let error = #expect(throws: ErrandError.self) { try Fixture("Fixtures/none.json", in: .main) }
        #expect(error?.reason?.hasPrefix("there is no fixture at /") == true)
        #expect(error?.reason?.hasSuffix("/Fixtures/none.json") == true)
    }

    @Test func `a stub response uses the data and the type of a fixture`() async throws {
        try folder.write("[1]", to: "list.json")
        var fixture = try Fixture("list.json", beside: folder.source)
        let request = FixtureRequest()
        request.dataTaskPipeline = request.stubResponse(statusCode: 201, fixture: fixture, headers: ["ETag": "\"1\""])
        let response = try await request.start().value
        #expect(response.statusCode == 201)
        #expect(response.data == Data("[1]".utf8))
        #expect(response.headers["Content-Type"] == "application/json")
        #expect(response.headers["ETag"] == "\"1\"")

        fixture.contentType = "application/feed+json"
        request.dataTaskPipeline = request.stubResponse(fixture: fixture)
        #expect(try await request.start().value.headers["Content-Type"] == "application/feed+json")
        request.dataTaskPipeline = request.stubResponse(fixture: fixture, headers: ["Content-Type": "text/html"])
        #expect(try await request.start().value.headers[values: "Content-Type"] == ["text/html"])
    }

    @Test func `the description of a fixture does not contain its data`() throws {
        try folder.write("hunter2", to: "a.txt")
        let fixture = try Fixture("a.txt", beside: folder.source)
        var dumped = ""
        dump(fixture, to: &dumped)
        #expect(fixture.description == "Fixture(a.txt, text/plain, 7 bytes)")
        #expect(!dumped.contains("104") && !dumped.contains("hunter2"))
    }
}
