import Errand
import ErrandWebSocket
import TestSupport
import Testing

struct `permessage-deflate` {
    /// A client that reads frames.
    private final class Client {
        private var decoder: WebSocketMessageDecoder

        init(_ compression: PermessageDeflate = .init(), limit: Int = 1 << 20) {
            decoder = WebSocketMessageDecoder(
                role: .client, compression: compression, maximumFrameSize: 1 << 20, maximumMessageSize: limit)
        }

        func read(_ bytes: [UInt8]) throws -> [WebSocketMessage] {
            decoder.append(bytes)
            var messages: [WebSocketMessage] = []
            while let event = try decoder.next() {
                if case .message(let message) = event { messages.append(message) }
            }
            return messages
        }
    }

    /// RFC 7692, section 7.2.3.
    @Test(
        arguments: [
            ("one block", [0xC1, 0x07, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]),
            ("in fragments", [0x41, 0x03, 0xF2, 0x48, 0xCD, 0x80, 0x04, 0xC9, 0xC9, 0x07, 0x00]),
            ("no compression", [0xC1, 0x0B, 0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00]),
            ("a last block", [0xC1, 0x08, 0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]),
            ("two blocks", [0xC1, 0x0D, 0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00]),
        ] as [(String, [UInt8])])
    func `the examples of RFC 7692 are decompressed`(_ name: String, _ bytes: [UInt8]) throws {
        let decoder = Client()
        #expect(try decoder.read(bytes) == [.text("Hello")], "\(name)")
        // The following messages are read as well.
        #expect(try decoder.read(bytes) == [.text("Hello")], "\(name)")
        #expect(try decoder.read([0x81, 0x02, 0x68, 0x69]) == [.text("hi")])
    }

    @Test func `a message can refer to the previous one if the context is kept`() throws {
        let first: [UInt8] = [0xC1, 0x07, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        let second: [UInt8] = [0xC1, 0x05, 0xF2, 0x00, 0x11, 0x00, 0x00]
        let keeping = Client()
        #expect(try keeping.read(first) == [.text("Hello")])
        #expect(try keeping.read(second) == [.text("Hello")])
        // A block that is marked as the last one does not end the context.
        let last: [UInt8] = [0xC1, 0x08, 0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]
        let going = Client()
        #expect(try going.read(last) == [.text("Hello")])
        #expect(try going.read(second) == [.text("Hello")])
        var agreement = PermessageDeflate()
        agreement.serverNoContextTakeover = true
        let forgetting = Client(agreement)
        #expect(try forgetting.read(first) == [.text("Hello")])
        let violation = #expect(throws: WebSocketViolation.self) { try forgetting.read(second) }
        #expect(violation?.code == .invalidPayload)
    }

    @Test(arguments: [true, false], [9, 15])
    func `compressed messages are decompressed to the original`(_ keepsContext: Bool, _ windowBits: Int) throws {
        var agreement = PermessageDeflate()
        agreement.serverNoContextTakeover = !keepsContext
        agreement.serverMaxWindowBits = windowBits
        let encoder = WebSocketEncoder(role: .server, compression: agreement, maximumFragmentSize: 1000)
        let decoder = Client(agreement)
        var generator = SeededChance(seed: 7)
        let noise = Data((0..<200_000).map { _ in UInt8.random(in: 0 ... .max, using: &generator) })
        let long = String(repeating: "all work and no play ", count: 20_000)
        var sizes: [Int] = []
        for message in [.text("Hello"), .text("Hello"), .data(noise), .text(long), .data(Data()), .text(long)]
            as [WebSocketMessage]
        {
            let bytes = encoder.frames(of: message)
            sizes.append(bytes.count)
            #expect(try decoder.read(bytes) == [message])
        }
        #expect(sizes[3] < long.utf8.count / 50)
        // The second time, the word is in the context, if contexts are kept.
        #expect((sizes[1] < sizes[0]) == keepsContext)
    }

    @Test func `a small message that expands too much is rejected at the limit`() throws {
        let bomb = WebSocketEncoder(role: .server, compression: PermessageDeflate(), maximumFragmentSize: 1 << 20)
            .frames(of: .data(Data(count: 64 << 20)))
        #expect(bomb.count < 100_000)
        let decoder = Client(limit: 1 << 20)
        let violation = #expect(throws: WebSocketViolation.self) { try decoder.read(bomb) }
        #expect(violation?.code == .messageTooBig)
    }

    @Test func `an invalid deflate stream is rejected`() throws {
        let decoder = Client()
        let violation = #expect(throws: WebSocketViolation.self) {
            try decoder.read([0xC2, 0x04, 0xFF, 0xFF, 0xFF, 0xFF])
        }
        #expect(violation?.code == .invalidPayload)
    }
}
