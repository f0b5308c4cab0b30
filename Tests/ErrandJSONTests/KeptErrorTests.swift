import ErrandJSON
import Synchronization
import Testing

struct `A decoding error that outlives its document` {
    private static let errors = CodingUserInfoKey(rawValue: "errors")

    private final class Box: Sendable {
        let error = Mutex<DecodingError?>(nil)
    }

    private static func box(_ decoder: any Decoder) throws -> Box {
        let key = try #require(errors)
        return try #require(decoder.userInfo[key] as? Box)
    }

    /// Keeps the error of an array whose last element is not a number.
    private struct Keeper: Decodable {
        init(from decoder: any Decoder) throws {
            let kept = try box(decoder)
            var container = try decoder.unkeyedContainer()
            do { while !container.isAtEnd { _ = try container.decode(Int.self) } } catch let error as DecodingError {
                kept.error.withLock { $0 = error }
            }
        }
    }

    /// Throws the error that was kept, while another document is decoded.
    private struct Thrower: Decodable {
        init(from decoder: any Decoder) throws {
            if let error = try box(decoder).error.withLock({ $0 }) { throw error }
        }
    }

    /// A document may have the address of an earlier one, so the test repeats this often.
    @Test func `a kept error has no location when it is thrown from a later document`() throws {
        var decoder = FastJSONDecoder()
        let kept = Box()
        decoder.userInfo[try #require(Self.errors)] = kept
        let long = Data("[\(String(repeating: "1,", count: 1_000))\"x\"]".utf8)
        for _ in 0..<100 {
            _ = try decoder.decode(Keeper.self, from: long)
            let error = try #require(throws: DecodingError.self) {
                try decoder.decode(Thrower.self, from: Data("1".utf8))
            }
            #expect(error.jsonLocation == nil)
            guard case .typeMismatch(_, let context) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(context.underlyingError == nil)
            #expect(context.codingPath.map(\.intValue) == [1_000])
            #expect(!"\(error)".contains("JSONOffset"))
        }
    }

    @Test func `a caught error keeps its location when it is thrown again`() throws {
        struct Passing: Decodable {
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                do { _ = try container.decode(Int.self) } catch { throw error }
            }
        }
        let error = try #require(throws: DecodingError.self) {
            try FastJSONDecoder().decode(Passing.self, from: Data("[\n  true]".utf8))
        }
        #expect(error.jsonLocation?.line == 2)
        #expect(error.jsonLocation?.column == 3)
    }
}
