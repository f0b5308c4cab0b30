import Errand
import TestSupport
import Testing

struct `Decoding` {
    struct Author: Codable, Equatable {
        struct Address: Codable, Equatable { var city: String }
        var id: Int
        var address: Address?
    }

    @Test func `decode returns a value from JSON`() async throws {
        #expect(try await body(#"{"id": 1}"#).decode(Author.self).value == Author(id: 1))
    }

    @Test func `decode accepts a configured JSON, property list or custom decoder`() async throws {
        struct Upper: DataDecoder {
            func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
                try JSONDecoder().decode(type, from: Data(String(decoding: data, as: UTF8.self).lowercased().utf8))
            }
        }
        struct Stamp: Codable, Equatable { var createdAt: Date }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .secondsSince1970
        let stamp = try await body(#"{"created_at": 5}"#).decode(Stamp.self, decoder: decoder).value
        #expect(stamp.createdAt == Date(timeIntervalSince1970: 5))
        let list = try PropertyListEncoder().encode(Author(id: 2))
        let author = try await Pipeline<DataResponse, any Error>.just(DataResponse(statusCode: 200, data: list))
            .decode(Author.self, decoder: PropertyListDecoder()).value
        #expect(author == Author(id: 2))
        #expect(try await body(#"{"ID": 3}"#).decode(Author.self, decoder: Upper()).value == Author(id: 3))
    }

    @Test(arguments: [
        (#"[{"id": 1}, {"id": "planted"}]"#, "[1].id is a string, not Int, at line 1, column 20"),
        (#"[{"id": 1, "address": {"city": null}}]"#, "[0].address.city is null, not String, at line 1, column 32"),
        (#"[{"id": 1, "address": {}}]"#, "[0].address.city is missing, at line 1, column 23"),
        (#"{"id": 1}"#, "the top level is an object, not an array, at line 1, column 1"),
        ("[{\"id\": 1},\n {\"id\": planted}]", "not JSON at line 2, column 9: expected a value"),
        (#"[{"id": 1}"#, "not JSON at line 1, column 11: it ends too early"),
        ("", "the body is empty"),
        (#"[{"id": 1e400}]"#, "[0].id: a number does not fit in Int, at line 1, column 9"),
        (#"[{"id": trux}]"#, "not JSON at line 1, column 9: expected a value"),
    ])
    func `a decoding error describes the place of the error without quoting the document`(
        _ json: String, _ place: String
    ) async throws {
        let error = try #require(
            await expectFailure(.decodingFailed) { try await body(json).decode([Author].self).value })
        #expect(error.reason == place)
        #expect(error.underlyingError is DecodingError)
        #expect(!"\(error) \(String(describing: error.underlyingError))".contains("planted"))
        #expect(error.bodyPrefix == Data(json.utf8))
    }

    @Test func `a stream that was not read is not an empty body`() async throws {
        let pieces = Locked([Data("{}".utf8)][...])
        var response = DataResponse(statusCode: 200)
        response.body = ResponseBody { pieces.withLock { $0.popFirst() } }
        let reason = "the body is a stream that was not read: call `collected(upTo:)` first"
        let decoding = await expectFailure(.decodingFailed) { try response.decode([String: Int]?.self) }
        let text = await expectFailure(.decodingFailed) { try response.text() }
        #expect(decoding?.reason == reason && text?.reason == reason)
        #expect(try await response.collected(upTo: 10).decode([String: Int]?.self) == [:])

        // Responses that have no body by their status or length.
        for head in [DataResponse(statusCode: 204), DataResponse(statusCode: 200, headers: ["Content-Length": "0"])] {
            var empty = head
            empty.body = ResponseBody { nil }
            #expect(try empty.decode([String: Int]?.self) == nil)
        }
    }

    @Test func `a decoding error names an element that an array does not have`() async throws {
        struct Point: Decodable, Sendable {
            var x, y: Int
            init(from decoder: any Decoder) throws {
                var numbers = try decoder.unkeyedContainer()
                (x, y) = (try numbers.decode(Int.self), try numbers.decode(Int.self))
            }
        }
        let error = await expectFailure(.decodingFailed) { try await body("[[1, 2], [3]]").decode([Point].self).value }
        #expect(error?.reason == "[1][1] is missing, at line 1, column 10")
    }

    @Test func `a decoding error describes an invalid dictionary key and a missing superclass member`() async throws {
        let key = await expectFailure(.decodingFailed) {
            try await body(#"{"a":{"1":true,"x":false}}"#).decode([String: [Int: Bool]].self).value
        }
        #expect(key?.reason == "*.* is not Int, at line 1, column 6")
        class Animal: Decodable { var name: String }
        final class Cat: Animal, @unchecked Sendable {
            enum Keys: CodingKey { case lives }
            required init(from decoder: any Decoder) throws {
                try super.init(from: decoder.container(keyedBy: Keys.self).superDecoder())
            }
        }
        let animal = await expectFailure(.decodingFailed) {
            try await body("{}").tryMap { try $0.decode(Cat.self).name }.value
        }
        #expect(animal?.reason == "super is missing, at line 1, column 1")
    }

    /// A number as a key can be that of a phone or an account.
    @Test(arguments: ["planted\\nkey", "4915112345678"])
    func `a decoding error hides dictionary keys`(_ key: String) async throws {
        let error = try #require(
            await expectFailure(.decodingFailed) {
                try await body("{\"\(key)\": {\"id\": \"x\"}}").decode([String: Author].self).value
            })
        #expect(error.reason == "*.id is a string, not Int, at line 1, column \(key.utf8.count + 13)")
        let cause = String(reflecting: error.underlyingError)
        for secret in ["planted", "4915"] { #expect(!"\(error) \(cause)".contains(secret)) }
    }

    @Test func `a decoding error of a body that is not JSON has no line number`() async throws {
        struct Refusing: DataDecoder {
            func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "planted"))
            }
        }
        let error = await expectFailure(.decodingFailed) {
            try await body("<plist>").decode(Author.self, decoder: Refusing()).value
        }
        #expect(error?.reason == "the top level is not valid")
        let cause = String(describing: error?.underlyingError)
        #expect(!cause.contains("planted"))
    }

    @Test(arguments: [(200, ""), (204, ""), (205, ""), (204, "x"), (404, "")])
    func `an empty body is decoded as nil if the type is optional`(_ status: Int, _ body: String) async throws {
        let pipeline = Pipeline<DataResponse, any Error>.just(
            DataResponse(statusCode: status, data: Data(body.utf8)))
        #expect(try await pipeline.decode(Author?.self).value == nil)
        #expect(try await pipeline.decode([Author]?.self).value == nil)
        #expect(try await pipeline.decode(Author?.self, decoder: PropertyListDecoder()).value == nil)
        await expectFailure(.decodingFailed) { try await pipeline.decode(Author.self).value }
        await expectFailure(.decodingFailed) { try await pipeline.decode([Author].self).value }
    }

    @Test func `a body that is not empty is decoded as the wrapped type of an optional`() async throws {
        #expect(try await body(#"{"id": 1}"#).decode(Author?.self).value == Author(id: 1))
        #expect(try await body("null").decode(Author?.self).value == nil)
        await expectFailure(.decodingFailed) { try await body("[]").decode(Author?.self).value }
    }

    @Test func `a decoding error contains a status code that is not a success`() async {
        let missing = Pipeline<DataResponse, any Error>.just(
            DataResponse(statusCode: 404, data: Data(#"{"error": "planted"}"#.utf8)))
        let error = await expectFailure(.decodingFailed) { try await missing.decode([Author].self).value }
        #expect(error?.reason == "the status is 404: the top level is an object, not an array, at line 1, column 1")
    }

    @Test func `decodeWithResponse returns the value and the response`() async throws {
        let pipeline = Pipeline<DataResponse, any Error>.just(
            DataResponse(statusCode: 201, headers: ["ETag": "7"], data: Data(#"{"id": 1}"#.utf8)))
        let decoded = try await pipeline.decodeWithResponse(Author.self).value
        #expect(decoded.value == Author(id: 1))
        #expect(decoded.response.statusCode == 201)
        #expect(decoded.response.headers["etag"] == "7")
        #expect(try await pipeline.decodeWithResponse(Author?.self, decoder: JSONDecoder()).value.value?.id == 1)
        await expectFailure(.decodingFailed) { try await pipeline.decodeWithResponse([Author].self).value }
    }

    private func body(_ json: String) -> Pipeline<DataResponse, any Error> {
        .just(DataResponse(statusCode: 200, data: Data(json.utf8)))
    }
}

struct `A server's error document` {
    @Test func `an error document is decoded as problem details`() async throws {
        let json = #"{"type": "/missing", "title": "No such user", "status": 404, "detail": "no user 7", "extra": 1}"#
        let error = try await failure(json) { $0.decodeError(ProblemDetails.self) }
        let problem = try #require(error.payload(as: ProblemDetails.self))
        #expect(problem.type == "/missing")
        #expect(problem.title == "No such user")
        #expect(problem.detail == "no user 7")
        #expect(problem.status == 404)
        #expect(problem.instance == nil)
        #expect(error.statusCode == 404)
        #expect(!"\(error)".contains("no user 7"))
    }

    @Test func `problem details ignore members of the wrong type`() async throws {
        let error = try await failure(#"{"title": 7, "status": "404", "detail": "x"}"#) {
            $0.decodeError(ProblemDetails.self)
        }
        let problem = try #require(error.payload(as: ProblemDetails.self))
        #expect(problem == ProblemDetails(detail: "x"))
        #expect(problem.type == "about:blank")
    }

    /// RFC 9457, section 3.1: each member is optional, and the type is then `about:blank`.
    @Test(arguments: [
        "{}", #"{"status": "DOWN"}"#, #"{"message": "none of the members"}"#, #"{"status": "error", "message": "m"}"#,
        #"{"type": 7, "title": null, "status": {}, "detail": [], "instance": false}"#, #"{"type": null}"#,
        #"{"status": 404.5}"#, #"{"status": 1e99}"#,
    ])
    func `any object is a problem, without the members that are missing or have the wrong type`(
        _ json: String
    ) async throws {
        let error = try await failure(json) { $0.decodeError(ProblemDetails.self) }
        #expect(error.payload(as: ProblemDetails.self) == ProblemDetails())
        #expect(error.reason == "the status is 404, not 200 to 299")
        #expect(try JSONDecoder().decode(ProblemDetails.self, from: Data(json.utf8)) == ProblemDetails())
    }

    @Test func `the last document that decodes counts`() async throws {
        struct Complaint: Decodable, Equatable { var message: String }
        let error = try await failure(#"{"message": "no"}"#) {
            $0.decodeError(ProblemDetails.self).decodeError(Complaint.self)
        }
        #expect(error.payload(as: Complaint.self) == Complaint(message: "no"))
    }

    @Test func `an error document is decoded as a user-defined type`() async throws {
        struct Complaint: Decodable, Equatable { var message: String }
        let error = try await failure(#"{"message": "no"}"#) { $0.decodeError(Complaint.self) }
        #expect(error.payload(as: Complaint.self) == Complaint(message: "no"))
        #expect(error.payload(as: ProblemDetails.self) == nil)
    }

    @Test(arguments: [
        ("<html>", "not JSON at line 1, column 1: expected a value"),
        ("[]", "the top level is an array, not an object, at line 1, column 1"),
        ("null", "the top level is null, not an object, at line 1, column 1"),
        (#""DOWN""#, "the top level is a string, not an object, at line 1, column 1"),
    ])
    func `an error document that cannot be decoded is explained in the reason`(
        _ body: String, _ why: String
    ) async throws {
        let error = try await failure(body) { $0.decodeError(ProblemDetails.self) }
        #expect(error.payload(as: ProblemDetails.self) == nil)
        #expect(error.statusCode == 404)
        #expect(error.reason == "the status is 404, not 200 to 299; the body is not a ProblemDetails: \(why)")
    }

    @Test func `decodeError tries each type in turn`() async throws {
        struct Complaint: Decodable, Equatable { var code: Int }
        struct Report: Decodable, Equatable { var code: String }
        let error = try await failure(#"{"code": "seven"}"#) {
            $0.decodeError(Complaint.self).decodeError(Report.self)
        }
        #expect(error.payload(as: Report.self) == Report(code: "seven"))
        let why = "code is a string, not Int, at line 1, column 10"
        #expect(error.reason == "the status is 404, not 200 to 299; the body is not a Complaint: \(why)")
    }

    @Test func `an empty error document is not mentioned in the reason`() async throws {
        let error = try await failure("") { $0.decodeError(ProblemDetails.self) }
        #expect(error.payload(as: ProblemDetails.self) == nil)
        #expect(error.reason == "the status is 404, not 200 to 299")
    }

    @Test func `an error document longer than the body prefix is not decoded`() async throws {
        let text = String(repeating: "a", count: ErrandError.bodyPrefixLimit)
        let error = try await failure(#"{"title": "\#(text)"}"#) { $0.decodeError(ProblemDetails.self) }
        #expect(error.payload(as: ProblemDetails.self) == nil)
        #expect(error.reason == "the status is 404, not 200 to 299; the error document has 65536 bytes or more")
    }

    @Test func `decodeError ignores failures other than an unacceptable status code`() async throws {
        let pipeline = Pipeline<DataResponse, any Error>.fail(URLError(.timedOut)).decodeError(ProblemDetails.self)
        await #expect(throws: URLError(.timedOut)) { try await pipeline.value }
        let response = DataResponse(
            statusCode: 200, headers: ["Content-Type": "text/html"], data: Data(#"{"title": "x"}"#.utf8))
        let mistyped = Pipeline<DataResponse, any Error>.just(response).hasContentType("application/json")
            .decodeError(ProblemDetails.self)
        let error = await expectFailure(.unacceptableContentType) { try await mistyped.value }
        #expect(error?.payload(as: ProblemDetails.self) == nil)
    }

    private func failure(
        _ json: String, _ attach: (Pipeline<DataResponse, any Error>) -> Pipeline<DataResponse, any Error>
    ) async throws -> ErrandError {
        let upstream = Pipeline<DataResponse, any Error>.just(DataResponse(statusCode: 404, data: Data(json.utf8)))
        let pipeline = attach(upstream.validateStatusCode(in: 200..<300))
        return try #require(await expectFailure(.unacceptableStatusCode) { try await pipeline.value })
    }
}
