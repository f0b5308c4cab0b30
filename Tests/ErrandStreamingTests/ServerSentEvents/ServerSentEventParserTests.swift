import Foundation
import TestSupport
import Testing

@testable import Errand

struct `Server-sent events` {
    private static let tokens = [
        "data", "data:", "data: ", "event: ", "id: ", "id", "retry: ", ":", ": ", "\n", "\r", "\r\n", "\n\n", "x", "7",
        "é", "𝄞",
        "\u{0}", "\u{FEFF}", "field: ",
    ]

    private func events(_ text: String) -> [ServerSentEvent] {
        parsed(ServerSentEventParser(maximumSize: 1 << 20), [Data(text.utf8)]).elements
    }

    private func data(_ text: String) -> [String] { events(text).map(\.data) }

    @Test func `the examples of the standard for server-sent events are parsed`() {
        #expect(data("data: YHOO\ndata: +2\ndata: 10\n\n") == ["YHOO\n+2\n10"])
        let four = ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n"
        #expect(
            events(four) == [
                ServerSentEvent(data: "first event", id: "1"), ServerSentEvent(data: "second event"),
                ServerSentEvent(data: " third event"),
            ])
        #expect(data("data\n\ndata\ndata\n\ndata:") == ["", "\n"])
        #expect(data("data:test\n\ndata: test\n\n") == ["test", "test"])
    }

    @Test(arguments: ["\n", "\r", "\r\n"])
    func `the lines of an event can end with CR, LF or CRLF`(_ end: String) {
        let text = ["event: add", "data: 1", "data: 2", "", "data: 3", "", ""].joined(separator: end)
        #expect(events(text) == [ServerSentEvent(event: "add", data: "1\n2"), ServerSentEvent(data: "3")])
    }

    @Test func `one byte order mark at the start is removed, and others are kept`() {
        #expect(data("\u{FEFF}data: a\n\n") == ["a"])
        #expect(data("\u{FEFF}\u{FEFF}data: a\n\n") == [])
        #expect(data("data: a\n\n\u{FEFF}data: b\n\n") == ["a"])
        #expect(data("data: \u{FEFF}a\n\n") == ["\u{FEFF}a"])
    }

    @Test func `comments and unknown fields of an event are ignored, and names are case-sensitive`() {
        #expect(data(":data: a\n: \nfoo: b\nDATA: c\n data: d\ndata : e\ndata: f\n\n") == ["f"])
    }

    @Test func `only one space before a value is removed`() {
        #expect(data("data:  a \ndata:\tb\n\n") == [" a \n\tb"])
        #expect(data("data: a: b\n\n") == ["a: b"])
    }

    @Test func `an event without data is dropped together with its type`() {
        #expect(events("event: add\n\ndata: 1\n\n") == [ServerSentEvent(data: "1")])
        #expect(events("event: add\nevent: change\ndata: 1\n\n") == [ServerSentEvent(event: "change", data: "1")])
        #expect(events("event: add\nevent\ndata: 1\n\n") == [ServerSentEvent(data: "1")])
    }

    @Test func `events keep the last ID until one sets or clears it`() {
        let text = "id: 1\ndata: a\n\ndata: b\n\nid: 2\nid: 3\ndata: c\n\nid:\ndata: d\n\n"
        #expect(events(text).map(\.id) == ["1", "1", "3", ""])
        let resumed = parsed(
            ServerSentEventParser(lastEventID: "7", maximumSize: 99), [Data("data: a\n\n".utf8)])
        #expect(resumed.elements.map(\.id) == ["7"])
    }

    @Test func `an event ID with a NUL is ignored`() {
        #expect(events("id: 1\ndata: a\n\nid: 2\u{0}\ndata: b\n\n").map(\.id) == ["1", "1"])
    }

    @Test func `an ID without data is applied at its empty line`() throws {
        var parser = ServerSentEventParser(maximumSize: 99)
        parser.append(Data("id: 5\n".utf8))
        #expect(try parser.next() == nil)
        #expect(parser.lastEventID == "")
        parser.append(Data("\n".utf8))
        #expect(try parser.next() == nil)
        #expect(parser.lastEventID == "5")
    }

    @Test(
        arguments: [
            ("1500", .milliseconds(1500)), ("0", .zero), ("007", .milliseconds(7)), ("", nil), ("-1", nil),
            ("1.5", nil), ("1e3", nil),
            ("+1", nil), ("١", nil), (" 1", nil),
            (String(repeating: "9", count: 400), Duration.seconds(Int64.max).bounded),
        ] as [(String, Duration?)])
    func `the reconnection time is read only from ASCII digits`(_ value: String, _ expected: Duration?) throws {
        var parser = ServerSentEventParser(maximumSize: 999)
        parser.append(Data("retry: \(value)\n".utf8))
        #expect(try parser.next() == nil)
        #expect(parser.reconnectionTime == expected)
        parser.append(Data("data: a\n\ndata: b\n\n".utf8))
        #expect(try parser.next()?.retry == expected)
        #expect(try parser.next()?.retry == nil)
    }

    @Test func `an event without a final empty line is dropped`() {
        #expect(data("data: a\n\ndata: b\n") == ["a"])
        #expect(data("data: a\n\ndata: b") == ["a"])
    }

    @Test func `bytes that are not valid UTF-8 are replaced in an event`() {
        let bytes = Data("data: a".utf8) + [0xC3] + Data("\ndata: ".utf8) + [0xF0, 0x9D] + Data("b\n\n".utf8)
        #expect(
            parsed(ServerSentEventParser(maximumSize: 99), [bytes]).elements.map(\.data) == ["a\u{FFFD}\n\u{FFFD}b"])
    }

    @Test func `an event that is too large ends the stream`() {
        func codes(_ text: String) -> ([String], ErrandError.Code?) {
            let (events, failure) = parsed(ServerSentEventParser(maximumSize: 10), [Data(text.utf8)])
            return (events.map(\.data), failure)
        }
        #expect(codes("data:12345\n\ndata:1\ndata:2\ndata:34567\n\n") == (["12345", "1\n2\n34567"], nil))
        #expect(codes("data:12345\ndata:12345\n\n").1 == .elementTooLarge)
        #expect(codes(":12345678901\n\n").1 == .elementTooLarge)
        #expect(codes("data:\n\ndata:123456\n\n") == ([""], .elementTooLarge))
        #expect(parsed(ServerSentEventParser(maximumSize: -1), [Data("data:\n\n".utf8)]).failure == .elementTooLarge)
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `events do not depend on where the bytes are split`(_ seed: UInt64) {
        var chance = SeededChance(seed: seed)
        let data = chance.text(of: Self.tokens, atMost: 80)
        let parser = ServerSentEventParser(maximumSize: Int.random(in: 5...40, using: &chance))
        let expected = parsed(parser, [data])
        #expect(parsed(parser, data.map { Data([$0]) }) == expected)
        for _ in 0..<5 { #expect(parsed(parser, chance.pieces(of: data)) == expected) }
    }

    @Test func `the description of an event contains neither data nor ID`() {
        let event = ServerSentEvent(event: "add", data: "secret", id: "hidden")
        #expect("\(event)" == "add (6 bytes)")
        var dumped = ""
        dump(event, to: &dumped)
        #expect(!dumped.contains("secret") && !dumped.contains("hidden"))
    }

    @Test func `an event decodes its data, and a decoding error describes the fault`() throws {
        let event = ServerSentEvent(data: #"{"id": "x"}"#)
        #expect(try event.decode([String: String].self) == ["id": "x"])
        #expect {
            try event.decode([String: Int].self)
        } throws: { error in
            (error as? ErrandError)?.code == .decodingFailed
                && (error as? ErrandError)?.reason == "an event's data: * is a string, not Int, at line 1, column 8"
        }
    }
}
