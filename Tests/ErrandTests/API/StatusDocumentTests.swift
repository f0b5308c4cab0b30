import Errand
import TestSupport
import Testing

/// Error documents whose type depends on the status.
struct StatusDocumentTests {
    struct Missing: Codable, Equatable { var message: String }
    struct Conflict: Codable, Equatable { var message: String }

    enum Failure: StatusDocument, Equatable {
        case missing(Missing)
        case conflict(Conflict)

        init(from decoder: any Decoder, status: Int) throws {
            self = status == 404 ? .missing(try Missing(from: decoder)) : .conflict(try Conflict(from: decoder))
        }

        var document: any Sendable {
            switch self {
            case .missing(let document): document
            case .conflict(let document): document
            }
        }
    }

    class LibraryAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://library.example.com")
        }

        override func startRequest() -> Pipeline<DataResponse, any Error> {
            super.startRequest().decodeError(Failure.self)
        }
    }

    final class ItemRequest: LibraryAPI, Request {
        func start() -> Pipeline<String, any Error> { sendRequest().decode(String.self) }
    }

    /// The error of a response with the same body in each case.
    private func error(_ status: Int, accepted: StatusCodes?, decoder: any DataDecoder) async -> ErrandError? {
        let request = ItemRequest()
        request.acceptedStatusCodes = accepted
        request.decoder = decoder
        request.dataTaskPipeline = request.stubJSONResponse(
            statusCode: status, data: Data(#"{"message": "x"}"#.utf8))
        return await #expect(throws: ErrandError.self) { try await request.start().value }
    }

    // What rejects a status can be a setting or the decoding.
    @Test(arguments: [StatusCodes.successful, nil])
    func `the status decides the type of an error document`(_ accepted: StatusCodes?) async {
        for decoder: any DataDecoder in [FastJSONDecoder(), JSONDecoder()] {
            let missing = await error(404, accepted: accepted, decoder: decoder)
            #expect(missing?.payload(as: Failure.self) == .missing(Missing(message: "x")))
            #expect(missing?.payload(as: Missing.self) == Missing(message: "x"))
            #expect(missing?.payload(as: Conflict.self) == nil)
            let conflict = await error(409, accepted: accepted, decoder: decoder)
            #expect(conflict?.payload(as: Failure.self) == .conflict(Conflict(message: "x")))
            #expect(conflict?.payload(as: Conflict.self) == Conflict(message: "x"))
        }
    }

    @Test func `a document without a response has no status`() {
        let error = #expect(throws: DecodingError.self) {
            try FastJSONDecoder().decode(Failure.self, from: Data(#"{"message": "x"}"#.utf8))
        }
        guard case .dataCorrupted(let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.debugDescription.hasPrefix("the status of the response is not known"))
    }
}
