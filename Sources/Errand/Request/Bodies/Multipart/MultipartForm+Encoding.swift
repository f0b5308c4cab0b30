extension MultipartForm {
    /// Encodes the form as the bytes of a body, with the WHATWG's "multipart/form-data encoding algorithm".
    ///
    /// - Parameter encoder: The encoder of the API, for values without their own encoder.
    /// - Throws: ``ErrandError`` for invalid values, an error of Foundation for a missing file, or the error of an
    ///   encoder.
    func content(_ encoder: BodyEncoder) throws -> RequestBody.Content {
        let sections = try parts.map { try $0.section(encoder) }
        var form = self
        for (index, section) in sections.enumerated() { form.parts[index].content.replaceValue(with: section.content) }
        return try MultipartEncoding(sections, boundary: boundary).content(origin: .form(form))
    }
}

extension MultipartForm.Part.Content {
    /// Stores the encoded bytes of a value, which a curl command shows.
    fileprivate mutating func replaceValue(with encoded: RequestBody.Content) {
        if case .value = self, case .data(let data) = encoded { self = .data(data) }
    }
}

extension MultipartForm.Part {
    fileprivate func section(_ encoder: BodyEncoder) throws -> MultipartEncoding.Section {
        if let type, !type.isValid {
            throw ErrandError(.invalidHeaderField, reason: "the media type of a part is not valid")
        }
        guard headers["Content-Disposition"] == nil else {
            throw ErrandError(
                .invalidHeaderField, reason: "a part of a form must not set Content-Disposition; its name generates it")
        }
        var disposition = "form-data; name=\"\(name.withCRLF.escapedForDisposition)\""
        if let fileName { disposition += "; filename=\"\(fileName.escapedForDisposition)\"" }
        // A name may contain control characters, which browsers send unchanged.
        var generated = [HeaderFields.Field("Content-Disposition", disposition)]
        if let type, headers["Content-Type"] == nil { generated.append(.init("Content-Type", type.description)) }
        return try .init(generated: generated, headers: headers, content: bytes(encoder))
    }

    private func bytes(_ encoder: BodyEncoder) throws -> RequestBody.Content {
        switch content {
        case .text(let text): .data(Data(text.withCRLF.utf8))
        case .data(let data): .data(data)
        case .value(let body): try body.content(encoder)
        case .file(let file): .stream(try BodyStream(file: file))
        case .stream(let stream): .stream(stream)
        }
    }
}

extension String {
    /// This text with every line break, including a single CR or LF, replaced by CRLF.
    fileprivate var withCRLF: String {
        guard utf8.contains(where: { $0 == 0x0D || $0 == 0x0A }) else { return self }
        var bytes: [UInt8] = []
        var previous: UInt8 = 0
        for byte in utf8 {
            switch byte {
            case 0x0D: bytes += [0x0D, 0x0A]
            case 0x0A where previous == 0x0D: break
            case 0x0A: bytes += [0x0D, 0x0A]
            default: bytes.append(byte)
            }
            previous = byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// This text for the quotes of a `Content-Disposition`. Browsers escape only quotes and line breaks.
    fileprivate var escapedForDisposition: String {
        var bytes: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case 0x22: bytes += "%22".utf8
            case 0x0D: bytes += "%0D".utf8
            case 0x0A: bytes += "%0A".utf8
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
