import Errand
import ErrandResilience
import ErrandTesting
import Testing

/// The samples of the page about errors.
struct `The guide to errors` {
    struct Book: Codable, Hashable, Sendable {
        var title: String
    }

    struct Loan: Codable, Sendable {
        var due: Date
    }

    enum ShelfError: Error, Hashable {
        case refused(String?)
        case tryAgainLater
        case cancelled
        case other

        init(_ error: any Error) {
            if error.isCancellation {
                self = .cancelled
                return
            }
            switch error {
            case ErrandError.Code.unacceptableStatusCode: self = .refused(nil)
            case ErrandError.Code.timedOut, ErrandError.Code.transportFailed: self = .tryAgainLater
            default: self = .other
            }
        }
    }

    class ShelfAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://shelf.example.com")
        }

        override func startRequest() -> Pipeline<DataResponse, any Error> {
            super.startRequest().validateStatusCode(in: 200..<300).decodeError(ProblemDetails.self)
        }
    }

    final class BookRequest: ShelfAPI, Request {
        init(id: Int) {
            super.init()
            path = "/books/\(id)"
        }

        func start() -> Pipeline<Book, any Error> { sendRequest().decode(Book.self) }
    }

    final class BorrowRequest: ShelfAPI, Request {
        init(book: Int) {
            super.init()
            method = .post
            path = "/books/\(book)/loans"
        }

        func start() -> Pipeline<Loan, ShelfError> {
            sendRequest().decode(Loan.self).mapError { ShelfError($0) }
        }
    }

    class LendingAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://library.example.com/v1")
        }

        override class func mapError(_ error: any Error) -> any Error { ShelfError(error) }
    }

    final class LoansRequest: LendingAPI, Request {
        func start() -> Pipeline<[Loan], any Error> { sendRequest().decode([Loan].self) }
    }

    struct Counter {
        func add(_ count: Int, labels: [String: String]) {}
    }

    /// Compiled but not run, because these would send requests to a real host.
    final class Screen {
        var shelf: Book?
        let counter = Counter()

        func book(_ id: Int) async throws -> Book? {
            do {
                return try await BookRequest(id: id).start().value
            } catch let error as ErrandError {
                switch error.code {
                case .unacceptableStatusCode where error.statusCode == 404: return nil
                case .unacceptableStatusCode: throw ShelfError.refused(error.payload(as: ProblemDetails.self)?.detail)
                case .timedOut, .transportFailed, .circuitOpen: throw ShelfError.tryAgainLater
                default: throw error
                }
            }
        }

        func load(_ id: Int) async throws {
            do {
                shelf = try await BookRequest(id: id).start().value
            } catch ErrandError.Code.cancelled {
                return
            }
        }

        func loadUnlessCancelled(_ id: Int) async {
            do {
                shelf = try await BookRequest(id: id).start().value
            } catch  where error.isCancellation {
                return
            } catch {
                show(error)
            }
        }

        func show(_ error: any Error) {}

        func borrow(_ id: Int) async throws -> Loan? {
            do {
                return try await BorrowRequest(book: id).start().value
            } catch {
                switch error {
                case .tryAgainLater: return nil
                default: throw error
                }
            }
        }

        func showOfflineBanner() {}

        func tell(_ error: ErrandError) {
            if error.code == .transportFailed, (error.underlyingError as? URLError)?.code == .notConnectedToInternet {
                showOfflineBanner()
            }
            counter.add(1, labels: ["code": error.code.rawValue, "status": "\(error.statusCode ?? 0)"])
        }
    }

    @Test func `the guide shows a printed error exactly`() async throws {
        let request = BookRequest(id: 7)
        request.path = "/books"
        request.query = ["author": "Le Guin"]
        request.retryPolicy = RetryPolicy(backoff: .immediate)
        request.dataTaskPipeline = request.stub(inTurn: [
            request.stub(error: URLError(.networkConnectionLost)), request.stubResponse(statusCode: 404),
        ])
        var printed = ""
        do {
            _ = try await request.start().value
        } catch {
            printed = "\(error)"
        }
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/Errand/Errand.docc/Errors.md").standardized
        #expect(try String(contentsOf: page, encoding: .utf8).contains("\n\(printed)\n"), "\(printed)")
    }

    @Test func `the guide's sample tests a network failure`() async throws {
        let request = BorrowRequest(book: 7)
        request.dataTaskPipeline = request.stub(error: URLError(.notConnectedToInternet))
        await #expect(throws: ShelfError.tryAgainLater) { try await request.start().value }
    }

    @Test func `the guide's sample maps the errors of a class`() async throws {
        let request = LoansRequest()
        request.dataTaskPipeline = request.stub(error: URLError(.timedOut))
        await #expect(throws: ShelfError.tryAgainLater) { try await request.start().value }
    }

    @Test func `the guide's sample catches an error with its type in a closure`() async throws {
        let borrow: @Sendable () async throws -> Loan? = {
            do throws(ShelfError) {
                return try await BorrowRequest(book: 7).start().value
            } catch {
                switch error {
                case .tryAgainLater: return nil
                case .refused, .cancelled, .other: throw error
                }
            }
        }
        let stubs = RouteStubs()
        stubs.on(.post, "/books/7/loans", .failure(.timedOut))
        let loan = try await stubs.run { try await borrow() }
        #expect(loan == nil)
    }

    @Test func `the guide shows a revealed error exactly`() async throws {
        let request = BookRequest(id: 7)
        request.path = "/books"
        request.query = ["author": "Le Guin"]
        request.dataTaskPipeline = request.stubResponse(
            statusCode: 400, data: Data(#"{"message": "author must be an ID"}"#.utf8),
            headers: ["Content-Type": "application/json"])
        var revealed = ""
        do {
            _ = try await request.start().value
        } catch let error as ErrandError {
            revealed = error.revealed
        }
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/Errand/Errand.docc/Errors.md").standardized
        #expect(try String(contentsOf: page, encoding: .utf8).contains("\n\(revealed)\n"), "\(revealed)")
    }

    @Test func `the guide's sample recognizes a cancellation after its error was mapped`() async throws {
        let request = BorrowRequest(book: 7)
        request.dataTaskPipeline = request.stub(error: CancellationError())
        await #expect(throws: ShelfError.cancelled) { try await request.start().value }
    }

    @Test func `the guide lists every error code`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
            .standardized
        let page = try String(
            contentsOf: root.appendingPathComponent("Sources/Errand/Errand.docc/Errors.md"), encoding: .utf8)
        let source = try String(
            contentsOf: root.appendingPathComponent("Sources/Errand/Errors/ErrandError+Code.swift"), encoding: .utf8)
        let codes = source.matches(of: #/public static let (\w+) = ErrandError\.Code/#).map { String($0.1) }
        #expect(codes.count > 20)
        for code in codes { #expect(page.contains("`\(code)`"), "\(code)") }
    }
}
