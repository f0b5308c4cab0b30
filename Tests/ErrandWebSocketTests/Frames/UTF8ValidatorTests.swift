import Errand
import TestSupport
import Testing

@testable import ErrandWebSocket

struct `Incremental UTF-8 validation` {
    private func isValid(_ bytes: [UInt8], pieces: Int = 1) -> Bool {
        var validator = UTF8Validator()
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            guard validator.append(bytes[start..<min(start + pieces, bytes.count)]) else { return false }
        }
        return validator.isComplete
    }

    @Test(
        arguments: [
            [], [0x00], [0x7F], [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80],
            [0xEF, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF], [0x80], [0xBF], [0xC0, 0x80],
            [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
            [0xE2, 0x82], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
            [0xF8, 0x88, 0x80, 0x80, 0x80], [0xE2, 0x82, 0xAC, 0x80],
        ] as [[UInt8]])
    func `the UTF-8 validator agrees with the standard library at the edges`(_ bytes: [UInt8]) {
        let expected = String(validating: bytes, as: UTF8.self) != nil
        for pieces in 1...4 { #expect(isValid(bytes, pieces: pieces) == expected) }
    }

    @Test func `the UTF-8 validator agrees with the standard library for random bytes`() {
        var generator = SeededChance(seed: 1)
        let interesting: [UInt8] = [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC2, 0xE0, 0xED, 0xF0, 0xF4]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
                interesting.randomElement(using: &generator) ?? 0
            }
            #expect(isValid(bytes) == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
        }
    }

    @Test func `bytes that cannot become UTF-8 are rejected at once`() {
        var validator = UTF8Validator()
        let canGoOn = validator.append([0xF4, 0x90])
        #expect(!canGoOn)
    }
}
