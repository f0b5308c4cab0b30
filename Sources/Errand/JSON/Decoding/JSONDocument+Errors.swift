// The errors of decoding: their coding paths are derived from the tokens, so that decoding itself keeps no path.
extension JSONDocument {
    func mismatch(_ expected: Any.Type, at index: Int) -> DecodingError {
        let context = context("expected \(expected), found \(tape[index].kind.words)", at: index)
        return tape[index].kind == .null ? .valueNotFound(expected, context) : .typeMismatch(expected, context)
    }

    func corrupted(_ description: String, at index: Int) -> DecodingError {
        .dataCorrupted(context(description, at: index))
    }

    func missing(_ key: some CodingKey, in object: Int) -> DecodingError {
        .keyNotFound(key, context("an object does not have the key", at: object))
    }

    /// The error of a container that has no more elements.
    func atEnd(_ expected: Any.Type, of array: Int, element: Int) -> DecodingError {
        var context = context("the array has no more elements", at: array)
        context = DecodingError.Context(
            codingPath: context.codingPath + [JSONCodingKey(index: element)],
            debugDescription: context.debugDescription,
            underlyingError: context.underlyingError)
        return .valueNotFound(expected, context)
    }

    private func context(_ description: String, at index: Int) -> DecodingError.Context {
        DecodingError.Context(
            codingPath: path(of: index), debugDescription: description,
            underlyingError: JSONOffset(
                bytes: tape.offset(of: index), found: tape[index].kind.words, document: identity))
    }

    /// Returns the coding path of a value.
    ///
    /// The frames of the values that are being decoded lead to it, or close to it. The rest is searched for in the tokens.
    func path(of index: Int) -> [any CodingKey] {
        var path = basePath
        var place = 0
        for frame in openFrames {
            let value = Int(frame.index)
            guard value > place, contains(place, value), value == index || contains(value, index) else { continue }
            append(&path, from: place, to: Int(frame.container))
            append(&path, key: value, in: Int(frame.container), element: Int(frame.element), as: frame.key)
            place = value
        }
        append(&path, from: place, to: index)
        return path
    }

    private func contains(_ container: Int, _ index: Int) -> Bool {
        tape[container].isContainer && index > container && index < tape[container].high
    }

    private func append(_ path: inout [any CodingKey], from outer: Int, to inner: Int) {
        // Nested containers know where they are.
        var chain: [Frame] = []
        var index = inner
        while index > outer, let frame = nestedFrame(of: index), frame.container >= outer {
            chain.append(frame)
            index = Int(frame.container)
        }
        defer {
            for frame in chain.reversed() {
                append(
                    &path, key: Int(frame.index), in: Int(frame.container), element: Int(frame.element), as: frame.key)
            }
        }
        var container = outer
        while contains(container, index) {
            let isObject = tape[container].kind == .object
            var value = tape.firstChild(of: container)
            var element = 0
            if isObject { value = tape.next(after: value) }
            while value != index, !contains(value, index) {
                value = tape.next(after: value)
                element += 1
                guard value < tape[container].high else { return }
                if isObject { value = tape.next(after: value) }
            }
            append(&path, key: value, in: container, element: element, as: nil)
            container = value
        }
    }

    private func append(
        _ path: inout [any CodingKey], key value: Int, in container: Int, element: Int, as type: (any CodingKey.Type)?
    ) {
        guard tape[container].kind == .object else {
            path.append(JSONCodingKey(index: element))
            return
        }
        // The key is right before its value.
        let key = tape[value - 1].kind == .offset ? value - 3 : value - 1
        let name = convertedKey(at: key, in: container, under: path)
        path.append(type?.init(stringValue: name) ?? JSONCodingKey(name))
    }
}

extension JSONToken.Kind {
    /// The kind of a value, for the text of an error.
    var words: String {
        switch self {
        case .null: "null"
        case .false, .true: "a boolean"
        case .number: "a number"
        case .string, .text, .offset: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension DecodingError {
    /// The error of a document that is not JSON.
    init(_ error: JSONSyntaxError, in document: UnsafeBufferPointer<UInt8>) {
        let location = JSONLocation(error.offset, in: document, found: nil)
        self = .dataCorrupted(
            Context(
                codingPath: [], debugDescription: "not JSON at \(location): \(error.reason.rawValue)",
                underlyingError: location))
    }
}
