// The errors of decoding. Their coding paths are derived from the tokens, so decoding itself keeps no path.
extension JSONDocument {
    /// The error of a value of another kind than expected.
    func mismatch(_ expected: Any.Type, at index: Int) -> DecodingError {
        let found = missingMember == nil ? tape[index].kind.words : JSONOffset.missing
        let context = context("expected \(JSONToken.Kind.words(for: expected)), found \(found)", at: index)
        return tape[index].kind == .null ? .valueNotFound(expected, context) : .typeMismatch(expected, context)
    }

    func corrupted(_ description: String, at index: Int) -> DecodingError {
        .dataCorrupted(context(description, at: index))
    }

    func missing(_ key: some CodingKey, in object: Int) -> DecodingError {
        .keyNotFound(key, context("an object does not have the key", at: object))
    }

    /// The error of an array that has no more elements.
    func atEnd(_ expected: Any.Type, of array: Int, element: Int) -> DecodingError {
        let place = JSONOffset(bytes: tape.offset(of: array), found: JSONOffset.missing, document: identity)
        return .valueNotFound(
            expected,
            DecodingError.Context(
                codingPath: path(of: array) + [JSONCodingKey(index: element)],
                debugDescription: "the array has no more elements", underlyingError: place))
    }

    /// Returns an error that a type's own code has thrown, with its place.
    ///
    /// The type of an outer value may catch the error. So an error other than a `DecodingError` is returned as it is,
    /// and its place is stored. If the outer type then throws an error of another type, the place of the outer value is
    /// stored.
    func located(_ error: any Error, of type: Any.Type, at index: Int) -> any Error {
        if let error = error as? DecodingError { return located(error, of: type, at: index) }
        let kind = Swift.type(of: error) as any Error.Type
        let isPassedOn = ownFailure.map { $0.type == kind && (index..<tape.next(after: index)).contains($0.index) }
        if isPassedOn != true { ownFailure = (index, kind) }
        return error
    }

    /// Adds a place to a `DecodingError` that a type's own code has thrown.
    ///
    /// The standard library's texts for an invalid raw value and for an invalid range quote the value, so they are
    /// replaced. If the error's path is longer than the value's, it ends with a key that the type does not accept,
    /// such as a word in a dictionary with `Int` keys; then the kind of the value is not the cause.
    private func located(_ error: DecodingError, of type: Any.Type, at index: Int) -> DecodingError {
        error.replacingContext { context in
            guard context.underlyingError == nil else { return context }
            var description = context.debugDescription
            var offset = offset(of: index)
            offset.hasDecodersText = false
            if case .typeMismatch = error, context.codingPath.count > path(of: index).count {
                (offset.found, offset.hasDecodersText) = (nil, true)
            }
            if case .dataCorrupted = error, type is any RawRepresentable.Type, !tape[index].isContainer {
                description = "\(tape[index].kind.words) is not a raw value of \(type)"
                offset.hasDecodersText = true
            } else if description.isEmpty || description.hasPrefix("Cannot initialize ") {
                description = "\(tape[index].kind.words) is not a valid \(type)"
                offset.hasDecodersText = true
            }
            return DecodingError.Context(
                codingPath: context.codingPath, debugDescription: description, underlyingError: offset)
        }
    }

    private func context(_ description: String, at index: Int) -> DecodingError.Context {
        DecodingError.Context(
            codingPath: failurePath(of: index), debugDescription: description, underlyingError: offset(of: index))
    }

    /// Returns the coding path of a value that does not fit.
    ///
    /// A type that tries several kinds of values causes an error for most of them. Values are decoded from the outside
    /// in, so the search begins at the container of the last failure. From the outermost container, the time would
    /// grow with the square of the depth.
    private func failurePath(of index: Int) -> [any CodingKey] {
        let (path, container) = pathAndContainer(of: index, from: lastFailure)
        if let container, container != lastFailure?.container { lastFailure = (container, Array(path.dropLast())) }
        return path
    }

    private func offset(of index: Int) -> JSONOffset {
        missingMember?.place
            ?? JSONOffset(bytes: tape.offset(of: index), found: tape[index].kind.words, document: identity)
    }

    /// Returns the coding path of a value. Searches the tokens from the outermost container to the value.
    ///
    /// - Parameter start: A container whose path is known; it is used if the value is in it.
    func path(of index: Int, from start: (container: Int, path: [any CodingKey])? = nil) -> [any CodingKey] {
        pathAndContainer(of: index, from: start).path
    }

    /// Returns the coding path of a value, and the container that holds it; `nil` for the outermost value.
    private func pathAndContainer(
        of index: Int, from start: (container: Int, path: [any CodingKey])?
    ) -> (path: [any CodingKey], container: Int?) {
        // The `null` in place of a missing member has its own document, with the path of the member.
        var path = missingMember?.path ?? []
        var container = 0
        var parent: Int?
        if let start, start.container < index, index < tape[start.container].high { (container, path) = start }
        while tape[container].isContainer, index > container, index < tape[container].high {
            let (child, number) = child(of: container, around: index)
            path.append(key(of: child, number: number, in: container, under: path))
            (parent, container) = (container, child)
        }
        return (path, parent)
    }

    /// Returns the child that is or contains the value at `index`, and the number of children before it. A child is an
    /// element or the value of a member.
    private func child(of container: Int, around index: Int) -> (child: Int, number: Int) {
        let token = tape[container]
        if token.length > JSONTape.fewMembers {
            let children = children[container] ?? self.allChildren(of: container)
            // Finds the last child that does not begin after the value.
            var (low, high) = (0, children.count)
            while high - low > 1 {
                let middle = (low + high) / 2
                if children[middle] <= index { low = middle } else { high = middle }
            }
            return (Int(children[low]), low)
        }
        var (child, number) = (firstValue(of: container), 0)
        while let next = value(after: child, in: container), next <= index { (child, number) = (next, number + 1) }
        return (child, number)
    }

    /// Returns the indices of all elements or values of a container, and stores them for further searches.
    private func allChildren(of container: Int) -> [UInt32] {
        var all: [UInt32] = []
        all.reserveCapacity(tape[container].length)
        var child: Int? = firstValue(of: container)
        while let value = child {
            all.append(UInt32(truncatingIfNeeded: value))
            child = self.value(after: value, in: container)
        }
        children[container] = all
        return all
    }

    private func firstValue(of container: Int) -> Int {
        let first = tape.firstChild(of: container)
        return tape[container].kind == .object ? tape.next(after: first) : first
    }

    private func value(after value: Int, in container: Int) -> Int? {
        let next = tape.next(after: value)
        guard next < tape[container].high else { return nil }
        return tape[container].kind == .object ? tape.next(after: next) : next
    }

    /// Returns the key or the index of a value, for a coding path.
    private func key(
        of value: Int, number: Int, in container: Int, under path: [any CodingKey]
    ) -> any CodingKey {
        guard tape[container].kind == .object else { return JSONCodingKey(index: number) }
        // The key is right before its value. A key that is a text has three words, the last of the kind `offset`.
        let key = tape[value - 1].kind == .offset ? value - 3 : value - 1
        let name = convertedKey(at: key, in: container, under: path)
        return codingKey(name, in: container) ?? JSONCodingKey(name)
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

    /// Returns what a decoder expected, for the text of an error: the kind of a container, or the name of a type.
    static func words(for expected: Any.Type) -> String {
        switch expected {
        case _ where expected == [Any].self: array.words
        case _ where expected == [String: Any].self: object.words
        default: "\(expected)"
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
