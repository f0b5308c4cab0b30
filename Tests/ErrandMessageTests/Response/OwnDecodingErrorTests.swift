import Errand
import Foundation
import TestSupport
import Testing

/// The errors that a type throws itself while it is decoded.
@Suite struct OwnDecodingErrorTests {
    /// How a price fails.
    private enum Fault: Int, Sendable, CaseIterable {
        case corrupted, mismatch, localized, described, plain, quoting, withoutText, foundation

        struct Localized: LocalizedError {
            var errorDescription: String? { "the currency is unknown" }
        }
        struct Described: Error, CustomStringConvertible {
            var description: String { "the currency\nis unknown" }
        }
        struct Plain: Error {
            let value = "planted"
        }

        func error(in container: any SingleValueDecodingContainer) -> any Error {
            switch self {
            case .corrupted:
                DecodingError.dataCorruptedError(in: container, debugDescription: "the currency is unknown")
            case .mismatch:
                DecodingError.typeMismatch(
                    Price.self, .init(codingPath: container.codingPath, debugDescription: "the currency is unknown"))
            case .localized: Localized()
            case .described: Described()
            case .plain: Plain()
            // The standard library's error for these bounds quotes them.
            case .quoting: DecodingError.dataCorruptedError(in: container, debugDescription: "Cannot initialize 5")
            case .withoutText: DecodingError.dataCorruptedError(in: container, debugDescription: "")
            case .foundation: CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "planted"])
            }
        }
    }

    private struct Price: Decodable, Sendable {
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            throw Fault(rawValue: try container.decode(Int.self))?.error(in: container) ?? CancellationError()
        }
    }

    private struct Order: Decodable, Sendable {
        let prices: [Price]
    }

    private func body(_ json: String) -> Pipeline<DataResponse, any Error> {
        .just(DataResponse(statusCode: 200, data: Data(json.utf8)))
    }

    private func failure(_ fault: Fault) async -> ErrandError? {
        await expectFailure(.decodingFailed) {
            try await body("{\"prices\":\n[ \(fault.rawValue)]}").decode(Order.self).value
        }
    }

    @Test(
        arguments: zip(
            Fault.allCases,
            [
                "prices[0]: the currency is unknown, at line 2, column 3",
                "prices[0] is a number, not Price: the currency is unknown, at line 2, column 3",
                "prices[0]: the currency is unknown, at line 2, column 3",
                "prices[0]: the currency\\nis unknown, at line 2, column 3",
                "prices[0]: Plain, at line 2, column 3",
                "prices[0]: a number is not a valid Price, at line 2, column 3",
                "prices[0]: a number is not a valid Price, at line 2, column 3",
                "prices[0]: CocoaError, at line 2, column 3",
            ]))
    private func `the reason has the place and the author's text`(_ fault: Fault, _ reason: String) async throws {
        let error = try #require(await failure(fault))
        #expect(error.reason == reason)
        #expect(!"\(error)".contains("planted"))
    }

    @Test func `the cause keeps the text and the place`() async throws {
        guard case .dataCorrupted(let context) = await failure(.corrupted)?.underlyingError as? DecodingError else {
            Issue.record("no DecodingError")
            return
        }
        #expect(context.debugDescription == "the currency is unknown, at line 2, column 3")
        #expect((context.underlyingError as? JSONLocation)?.line == 2)
        #expect(context.codingPath.map(\.stringValue) == ["prices", "Index 0"])
        #expect(await failure(.localized)?.underlyingError is Fault.Localized)
    }

    @Test func `an error that a type catches does not move the place of a later one`() async throws {
        struct Tolerant: Decodable, Sendable {
            init(from decoder: any Decoder) throws {
                var values = try decoder.unkeyedContainer()
                do {
                    _ = try values.decode(Price.self)
                } catch {
                    throw Fault.Described()
                }
            }
        }
        let error = await expectFailure(.decodingFailed) {
            try await body("[ [\(Fault.localized.rawValue)]]").decode([Tolerant].self).value
        }
        #expect(error?.reason == "[0]: the currency\\nis unknown, at line 1, column 3")
    }

    @Test func `a range that the standard library rejects does not appear`() async throws {
        let error = await expectFailure(.decodingFailed) { try await body("[731, 5]").decode(Range<Int>.self).value }
        #expect(error?.reason == "the top level: an array is not a valid Range<Int>, at line 1, column 1")
        let printed = "\(String(describing: error)) \(String(reflecting: error?.underlyingError))"
        #expect(!printed.contains("731"))
    }

    @Test func `the decoder itself throws a type's error as it is`() {
        let document = Data("{\"prices\":[\(Fault.localized.rawValue)]}".utf8)
        #expect(throws: Fault.Localized.self) { try FastJSONDecoder().decode(Order.self, from: document) }
    }
}
