/// A form of names and values, which zero bytes separate: the written form is read again.
@Sendable func fuzzMultipart(_ input: consuming FuzzInput) {
    var input = input
    let kinds = input.number()
    let boundary = "FuzzBoundary"
    guard input.data.firstRange(of: Data(boundary.utf8)) == nil else { return }
    let fields = input.fields
    let parts = stride(from: 0, to: fields.count - 1, by: 2).map { index in
        let name = String(decoding: fields[index], as: UTF8.self)
        let isText = kinds >> (index / 2 % 8) & 1 == 0
        return isText
            ? MultipartForm.Part.text(name, String(decoding: fields[index + 1], as: UTF8.self))
            : .data(name, Data(fields[index + 1]), fileName: name, type: ContentType(name))
    }
    let body = RequestBody.multipart(MultipartForm(parts, boundary: boundary))
    do {
        guard case .data(let data) = try body.content(BodyEncoder(encoder: JSONEncoder())) else {
            fatalError("a form in memory is not data")
        }
        let read = try MultipartReader.parts(of: data, contentType: body.type?.description)
        expect(read.count == parts.count, "a part is lost")
        let headers: HeaderFields = ["Content-Type": body.type?.description ?? ""]
        let received = try DataResponse(statusCode: 200, headers: headers, data: data).decodeParts()
        expect(received.map(\.data) == read.map(\.content), "what is sent is not what is received")
        for (part, read) in zip(parts, read) { expect(part.isSame(as: read), "a part differs") }
    } catch {
        fatalError("a form cannot be read: \(error)")
    }
}

extension MultipartForm.Part {
    fileprivate func isSame(as part: MultipartReader.Part) -> Bool {
        guard part.name == escaped(withLineBreaks(name)), part.fileName == fileName.map(escaped),
            part.type.flatMap({ ContentType($0) }) == type
        else { return false }
        switch content {
        case .text(let text): return part.content.elementsEqual(withLineBreaks(text).utf8)
        case .data(let data): return part.content == data
        case .file, .stream, .value: return false
        }
    }

    /// The text with CRLF for every line break.
    private func withLineBreaks(_ text: String) -> String {
        let plain = Array(text.unicodeScalars)
        var scalars = String.UnicodeScalarView()
        for (index, scalar) in plain.enumerated() {
            if scalar == "\r" || scalar == "\n" {
                if scalar == "\n", index > 0, plain[index - 1] == "\r" { continue }
                scalars.append("\r")
                scalars.append("\n")
            } else {
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    private func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "%22"
            case "\r": "%0D"
            case "\n": "%0A"
            default: String(scalar)
            }
        }.joined()
    }
}
