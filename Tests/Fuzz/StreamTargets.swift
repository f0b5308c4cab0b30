/// A limit on lengths, positions of splits, and a text: the split text has the same lines as the whole text.
@Sendable func fuzzLines(_ input: consuming FuzzInput) {
    var input = input
    let (limit, seed) = (input.number(), input.number())
    for lineEnd in [LineSplitter.LineEnd.any, .lineFeed] {
        let splitter = LineSplitter(endingWith: lineEnd, maximumLength: limit)
        let whole = lines(splitter, [input.data])
        expect(lines(splitter, input.pieces(seed)) == whole, "lines differ")
        for line in whole {
            expect(line.map { $0.count <= limit && !$0.contains(0x0A) } ?? true, "a line is too long")
        }
    }
}

/// The lines, with `nil` for each line that is too long.
private func lines(_ splitter: LineSplitter, _ pieces: [Data]) -> [ArraySlice<UInt8>?] {
    var splitter = splitter
    var lines: [ArraySlice<UInt8>?] = []
    func add(_ line: LineSplitter.Line) {
        switch line {
        case .whole(let bytes): lines.append(bytes)
        case .tooLong: lines.append(nil)
        }
    }
    for piece in pieces {
        splitter.append(piece)
        while let line = splitter.next() { add(line) }
    }
    if let line = splitter.finish() { add(line) }
    return lines
}

/// The same as for lines, for both framings; complete texts are also decoded.
@Sendable func fuzzJSONTexts(_ input: consuming FuzzInput) {
    var input = input
    let (limit, seed) = (input.number(), input.number())
    for framing in [JSONFraming.newlineDelimited, .textSequence] {
        let splitter = JSONTextSplitter(framing, maximumLength: limit)
        expect(texts(splitter, [input.data]) == texts(splitter, input.pieces(seed)), "texts differ")
        let parser = JSONValueParser([Int].self, framing: framing, decoder: JSONDecoder(), maximumLength: limit)
        _ = parsed(parser, [input.data])
    }
}

private func texts(_ splitter: JSONTextSplitter, _ pieces: [Data]) -> [JSONText] {
    var splitter = splitter
    var texts: [JSONText] = []
    for piece in pieces {
        splitter.append(piece)
        while let text = splitter.next() { texts.append(text) }
    }
    if let text = splitter.finish() { texts.append(text) }
    return texts
}

/// The same as for lines; each event is also written and read again.
@Sendable func fuzzServerSentEvents(_ input: consuming FuzzInput) {
    var input = input
    let (limit, seed) = (input.number(), input.number())
    let parser = ServerSentEventParser(maximumSize: limit)
    let whole = parsed(parser, [input.data])
    let split = parsed(parser, input.pieces(seed))
    expect(whole.elements == split.elements && whole.failure == split.failure, "events differ")
    for event in whole.elements {
        expect(!event.event.isEmpty, "an event without a type")
        expect(event.retry.map { $0 >= .zero } ?? true, "a negative time")
        var text = "event: \(event.event)\nid: \(event.id)\n"
        for line in event.data.split(separator: "\n", omittingEmptySubsequences: false) { text += "data: \(line)\n" }
        let again = parsed(ServerSentEventParser(maximumSize: 1 << 20), [Data((text + "\n").utf8)])
        var expected = event
        expected.retry = nil
        expect(again.elements == [expected], "an event is not read as it was written")
    }
}
