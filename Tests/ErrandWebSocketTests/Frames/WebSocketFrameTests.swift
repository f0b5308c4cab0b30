import Errand
import TestSupport
import Testing

@testable import ErrandWebSocket

struct `WebSocket frames` {
    /// Decodes bytes in pieces of a size: the heads and whole payloads.
    private func decode(
        _ bytes: [UInt8], role: WebSocketRole = .client, allowsCompression: Bool = false, limit: Int = 1 << 20,
        pieces: Int = .max
    ) throws -> [String] {
        var decoder = WebSocketFrameDecoder(
            role: role, allowsCompression: allowsCompression, maximumFrameSize: limit)
        var found: [String] = []
        var payload: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: min(pieces, max(bytes.count, 1))) {
            decoder.append(bytes[start..<min(start + min(pieces, bytes.count), bytes.count)])
            while let event = try decoder.next() {
                switch event {
                case .head(let head):
                    found.append("\(head.opcode)\(head.isFinal ? "" : "…")\(head.isCompressed ? "*" : "")")
                    payload = []
                case .payload(let piece): payload += piece
                case .end: found.append(String(decoding: payload, as: UTF8.self))
                }
            }
        }
        return found
    }

    @Test(arguments: [1, 2, 3, 7, Int.max])
    func `the frames of RFC 6455 are decoded wherever the bytes are split`(_ pieces: Int) throws {
        let hello = [0x81, 0x05] + Array("Hello".utf8)
        #expect(try decode(hello, pieces: pieces) == ["text", "Hello"])
        let fragments = [0x01, 0x03] + Array("Hel".utf8) + [0x80, 0x02] + Array("lo".utf8)
        #expect(try decode(fragments, pieces: pieces) == ["text…", "Hel", "continuation", "lo"])
        #expect(try decode([0x89, 0x05] + Array("Hello".utf8), pieces: pieces) == ["ping", "Hello"])
        let masked: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        #expect(try decode(masked, role: .server, pieces: pieces) == ["text", "Hello"])
        #expect(try decode([0x8A, 0x00], pieces: pieces) == ["pong", ""])
    }

    @Test(arguments: [0, 1, 125, 126, 127, 65_535, 65_536, 70_000])
    func `encoded frames of each length size are decoded`(_ count: Int) throws {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) & 0x7F }
        for (writer, reader) in [(WebSocketRole.client, WebSocketRole.server), (.server, .client)] {
            let bytes = WebSocketEncoder.frame(WebSocketFrameHead(.binary), payload, role: writer)
            let lengthBytes = count < 126 ? 0 : count <= 0xFFFF ? 2 : 8
            #expect(bytes.count == 2 + lengthBytes + (writer == .client ? 4 : 0) + count)
            #expect(
                try decode(bytes, role: reader, pieces: 1000) == ["binary", String(decoding: payload, as: UTF8.self)])
        }
    }

    @Test func `a client masks each frame with a new key`() throws {
        // The mask of zeros is the key.
        let frames = (0..<2).map { _ in
            WebSocketEncoder.frame(WebSocketFrameHead(.text), [UInt8](repeating: 0, count: 11), role: .client)
        }
        for frame in frames {
            let key = Array(frame[2..<6])
            #expect(frame == [0x81, 0x8B] + key + key + key + key[..<3])
        }
        #expect(frames[0] != frames[1])
    }

    @Test func `masking in pieces is masking at once, and twice restores the bytes`() {
        let bytes = (0..<100).map { UInt8($0) }
        var masked: [UInt8] = []
        var key: UInt32 = 0x37FA_213D
        for size in [1, 2, 3, 4, 5, 0, 85] {
            masked += bytes[masked.count..<(masked.count + size)]
            masked.mask(from: masked.count - size, with: &key)
        }
        key = 0x37FA_213D
        masked.mask(with: &key)
        #expect(masked == bytes)
    }

    @Test(
        arguments: [
            ("RSV1 without an extension", [0xC1, 0x00]), ("RSV2", [0xA1, 0x00]), ("RSV3", [0x91, 0x00]),
            ("opcode 3", [0x83, 0x00]), ("opcode 7", [0x87, 0x00]), ("opcode 11", [0x8B, 0x00]),
            ("opcode 15", [0x8F, 0x00]), ("a ping in fragments", [0x09, 0x00]), ("a close in fragments", [0x08, 0x00]),
            ("a ping of 126 bytes", [0x89, 0x7E, 0x00, 0x7E]), ("a close of 2^16 bytes", [0x88, 0x7F]),
            ("a masked frame", [0x81, 0x80, 0, 0, 0, 0]), ("125 in two bytes", [0x82, 0x7E, 0x00, 0x7D]),
            ("65535 in eight bytes", [0x82, 0x7F, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]),
            ("a length with its highest bit", [0x82, 0x7F, 0x80, 0, 0, 0, 0, 0, 0, 0]),
            ("a length of all bits", [0x82, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
        ] as [(String, [UInt8])])
    func `invalid frames to a client are rejected as protocol errors`(_ name: String, _ bytes: [UInt8]) throws {
        for pieces in [1, Int.max] {
            let violation = #expect(throws: WebSocketViolation.self, "\(name)") { try decode(bytes, pieces: pieces) }
            #expect(violation?.code == .protocolError, "\(name)")
        }
    }

    @Test func `a client frame without a mask is rejected`() throws {
        #expect(throws: WebSocketViolation.malformed("a client's frame is not masked")) {
            try decode([0x81, 0x05], role: .server)
        }
    }

    @Test func `only the first frame of a message can be marked as compressed`() throws {
        #expect(try decode([0xC1, 0x00], allowsCompression: true) == ["text*", ""])
        for first: UInt8 in [0xC0, 0xC8, 0xC9, 0xCA] {
            #expect(throws: WebSocketViolation.self) { try decode([first, 0x00], allowsCompression: true) }
        }
    }

    @Test func `a frame that is too long is rejected at its head`() throws {
        let head: [UInt8] = [0x82, 0x7E, 0x01, 0x01]
        let reason = "a frame is longer than `maximumFrameSize` of the options, 256 bytes"
        #expect(throws: WebSocketViolation.tooBig(reason)) { try decode(head, limit: 256) }
        #expect(try decode(head, limit: 257) == ["binary"])
        // A length that no memory could hold.
        let huge: [UInt8] = [0x82, 0x7F, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
        let violation = #expect(throws: WebSocketViolation.self) { try decode(huge, limit: 256) }
        #expect(violation?.code == .messageTooBig)
    }

    @Test(arguments: 0..<64)
    func `random frames are rejected or decoded without a trap`(_ seed: Int) {
        var generator = SeededChance(seed: UInt64(seed))
        for _ in 0..<64 {
            let bytes = (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
                UInt8.random(in: 0 ... .max, using: &generator)
            }
            for role in [WebSocketRole.client, .server] {
                let whole = try? decode(bytes, role: role, allowsCompression: true, limit: 64)
                #expect(whole == (try? decode(bytes, role: role, allowsCompression: true, limit: 64, pieces: 1)))
            }
        }
    }
}

extension WebSocketEncoder {
    /// Returns the bytes of one frame.
    static func frame(_ head: WebSocketFrameHead, _ payload: [UInt8], role: WebSocketRole = .server) -> [UInt8] {
        let encoder = WebSocketEncoder(role: role, maximumFragmentSize: 1)
        encoder.append(head, payload[...])
        return encoder.bytes
    }

    /// Returns the frames of a message.
    func frames(of message: WebSocketMessage) -> [UInt8] {
        removeBytes()
        append(message)
        while isInsideMessage { appendFragment() }
        return bytes
    }
}
