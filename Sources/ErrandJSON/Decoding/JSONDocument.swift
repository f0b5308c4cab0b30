/// A document while values are decoded from it: its tokens, its bytes, and the options of the decoder.
///
/// The tokens are on a ``JSONTape``. A value, an object and a key are named by the indices of their tokens.
///
/// It belongs to the task that decodes, as every `Decoder` does. It owns the tokens, and the bytes once they have been
/// copied.
final class JSONDocument {
    private(set) var tape: JSONTape
    private var ownsBytes = false
    let decoder: FastJSONDecoder
    let usesDefaultKeys: Bool
    let powers = PowersOfFive.shared
    let stack = StackUse()
    /// The member of a superclass that is missing, if this document is the `null` in its place; otherwise `nil`.
    let missingMember: MissingMember?
    /// The identity by which errors refer to this document; created when it is first needed.
    private(set) lazy var identity = JSONOffset.DocumentIdentity()
    /// The keys of objects with many members that have been looked up out of order.
    private var keyIndexes: [Int: JSONKeyIndex] = [:]
    /// The converted keys of the objects that have been looked up out of order.
    private var convertedKeyIndexes: [Int: ConvertedKeyIndex] = [:]
    /// The object whose keys were converted last, with its coding path.
    private var lastConversion: (container: Int, path: [any CodingKey])?
    /// The objects that are being decoded as dictionaries, whose keys are not converted.
    private var plainObjects: Set<Int> = []
    /// The indices of the values in large arrays and objects; stored when a coding path needs them.
    var children: [Int: [UInt32]] = [:]
    /// The container of the last value that did not fit, with the container's coding path; `nil` if it is not known.
    var lastFailure: (container: Int, path: [any CodingKey])?
    /// The value whose type has thrown an error other than a `DecodingError`, and the type of the error.
    var ownFailure: (index: Int, type: any Error.Type)?
    /// The bytes that the arrays and objects of each ``JSONValue`` take; see `countMemory(of:at:)`.
    var memory = 0
    /// The last complete array or object of a ``JSONValue``, with its offset and the number of arrays and objects
    /// around it; and the number of bytes that may still be compared with others in vain.
    var shared: (value: (JSONValue, offset: Int, depth: Int)?, effort: Int) = (nil, 0)
    /// The types of the keys of objects, for types without a ``KeyedContainerMaker``.
    var keyTypes: [Int: any CodingKey.Type] = [:]

    struct MissingMember {
        let path: [any CodingKey]
        /// The place of the object that does not have the member.
        let place: JSONOffset
    }

    /// - Throws: `DecodingError` for a document that is not JSON.
    init(
        _ document: UnsafeBufferPointer<UInt8>, decoder: FastJSONDecoder, missingMember: MissingMember? = nil
    ) throws {
        let tokenizer: JSONTokenizer
        do throws(JSONSyntaxError) {
            tokenizer = try JSONTokenizer.tokens(of: document, depth: decoder.maximumDepth)
        } catch {
            throw DecodingError(error, in: document)
        }
        tape = tokenizer.tape
        self.decoder = decoder
        self.missingMember = missingMember
        shared.effort = tape.end
        if case .useDefaultKeys = decoder.keyDecodingStrategy {
            usesDefaultKeys = true
        } else {
            usesDefaultKeys = false
        }
    }

    deinit {
        free(tape.words)
        free(UnsafeMutablePointer(mutating: tape.texts))
        if ownsBytes { tape.bytes.deallocate() }
    }

    /// Copies the bytes of the caller, which are about to become invalid.
    func copyBytes() {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: tape.end)
        copy.initialize(from: tape.bytes, count: tape.end)
        tape.bytes = UnsafePointer(copy)
        ownsBytes = true
        // The indexes refer to the bytes of the caller.
        keyIndexes = [:]
    }

    // MARK: Members

    /// Returns the index of the value of a key, or `nil` if the object does not have it.
    ///
    /// The search begins where the last one ended, since most types decode their keys in the order of the document.
    ///
    /// - Parameter advancing: Whether the next search begins after the member, or at its key again.
    @inline(__always)
    func value(of key: some CodingKey, in object: Int, advancing: Bool) -> Int? {
        guard usesDefaultKeys || decodesPlainKeys(object) else {
            return convertedValue(of: key, in: object, advancing: advancing)
        }
        // A copy, so that its pointers are not loaded again after each write to the tape.
        let tape = tape
        var name = key.stringValue
        return name.withUTF8 { name in
            // The next key in the document; 0 if the object must be searched. The first word of the tape is that of an
            // array or object, which differs from that of a key.
            let next = tape.words[object &+ 1].high
            let expected = JSONToken(.string, length: name.count, high: 0).word
            // The lower halves of the words contain the kind and the length. The mark for characters that are not ASCII
            // is ignored.
            if name.count <= JSONToken.maximumLength,
                UInt32(truncatingIfNeeded: tape.words[next] & ~JSONToken.nonASCIIMark)
                    == UInt32(truncatingIfNeeded: expected),
                let start = name.baseAddress,
                JSONTape.equal(tape.bytes + tape.words[next].high, start, name.count)
            {
                let value = next &+ 1
                if advancing { setNext(tape.next(after: value), of: object) }
                return value
            }
            return otherValue(of: name, in: object, advancing: advancing)
        }
    }

    /// Looks for a key that is not the next one, in the order of the document: the first of two equal keys counts.
    @inline(never)
    private func otherValue(of name: UnsafeBufferPointer<UInt8>, in object: Int, advancing: Bool) -> Int? {
        let tape = tape
        let token = tape[object]
        guard token.length <= JSONTape.fewMembers else { return indexedValue(of: name, in: object, advancing, tape) }
        var key = tape.firstChild(of: object)
        while key < token.high {
            if tape.key(at: key, equals: name) { return value(ofKeyAt: key, in: object, advancing, tape) }
            key = tape.next(after: tape.next(after: key))
        }
        return nil
    }

    /// Returns the value of a key that was found, and notes where the next search begins.
    private func value(ofKeyAt key: Int, in object: Int, _ advancing: Bool, _ tape: JSONTape) -> Int {
        let value = tape.next(after: key)
        setNext(advancing ? tape.next(after: value) : key, of: object)
        return value
    }

    /// Notes the key where the next search begins. An object with a key twice is always searched as a whole, since the
    /// first of two equal keys counts.
    @inline(__always)
    private func setNext(_ key: Int, of object: Int) {
        let token = tape[object]
        let next = key < token.high && !token.isMarked ? key : 0
        tape.words[object &+ 1] = UInt64(position: tape.words[object &+ 1].low, next)
    }

    /// Looks for a key in an object with many members, by a hash.
    private func indexedValue(
        of name: UnsafeBufferPointer<UInt8>, in object: Int, _ advancing: Bool, _ tape: JSONTape
    ) -> Int? {
        let index: JSONKeyIndex
        if let known = keyIndexes[object] {
            index = known
        } else {
            index = JSONKeyIndex(tape, from: tape.firstChild(of: object), members: tape[object].length)
            keyIndexes[object] = index
        }
        return index.index(of: name).map { value(ofKeyAt: $0, in: object, advancing, tape) }
    }

    /// Looks for a key whose name is the result of the key strategy.
    private func convertedValue(of key: some CodingKey, in object: Int, advancing: Bool) -> Int? {
        let tape = tape
        var name = key.stringValue
        let next = tape.words[object + 1].high
        guard case .convertFromSnakeCase = decoder.keyDecodingStrategy else {
            if next != 0, convertedKey(at: next, in: object) == name {
                return value(ofKeyAt: next, in: object, advancing, tape)
            }
            return indexedConvertedValue(of: name, in: object, advancing, tape)
        }
        return name.withUTF8 { name in
            func isNamed(_ key: Int) -> Bool { SnakeCase.isCamelCase(name, of: tape.text(of: key)) }
            if next != 0, isNamed(next) { return value(ofKeyAt: next, in: object, advancing, tape) }
            guard tape[object].length <= JSONTape.fewMembers else {
                return indexedConvertedValue(of: String(decoding: name, as: UTF8.self), in: object, advancing, tape)
            }
            var key = tape.firstChild(of: object)
            while key < tape[object].high {
                if isNamed(key) { return value(ofKeyAt: key, in: object, advancing, tape) }
                key = tape.next(after: tape.next(after: key))
            }
            return nil
        }
    }

    /// Looks for a converted key by a hash.
    private func indexedConvertedValue(of name: String, in object: Int, _ advancing: Bool, _ tape: JSONTape) -> Int? {
        convertedIndex(of: object).index(of: name) { convertedKey(at: $0, in: object) }
            .map { value(ofKeyAt: $0, in: object, advancing, tape) }
    }

    private func convertedIndex(of object: Int) -> ConvertedKeyIndex {
        if let known = convertedKeyIndexes[object] { return known }
        let path = pathForConversion(of: object)
        let index = ConvertedKeyIndex(tape, object) { convertedKey(at: $0, in: object, under: path) }
        convertedKeyIndexes[object] = index
        return index
    }

    private func pathForConversion(of object: Int) -> [any CodingKey] {
        if let lastConversion, lastConversion.container == object { return lastConversion.path }
        // Types decode nested objects from the outside in, so most paths extend the last one.
        let path = path(of: object, from: lastConversion)
        lastConversion = (object, path)
        return path
    }

    /// Returns a key as the strategy converts it.
    ///
    /// - Parameter path: The coding path of the object; `nil` if it is not known.
    func convertedKey(at index: Int, in object: Int, under path: [any CodingKey]? = nil) -> String {
        let key = tape.string(at: index)
        guard !decodesPlainKeys(object) else { return key }
        switch decoder.keyDecodingStrategy {
        case .useDefaultKeys: return key
        case .convertFromSnakeCase: return SnakeCase.camelCase(of: key)
        case .custom(let convert):
            return convert((path ?? pathForConversion(of: object)) + [JSONCodingKey(key)]).stringValue
        @unknown default: return key
        }
    }

    /// Whether the keys of an object are not converted.
    func decodesPlainKeys(_ object: Int) -> Bool { usesDefaultKeys || plainObjects.contains(object) }

    /// Calls `body`, and does not convert the keys of an object during the call.
    func withPlainKeys<Result>(of object: Int, _ body: () throws -> Result) rethrows -> Result {
        let isNew = plainObjects.insert(object).inserted
        defer { if isNew { plainObjects.remove(object) } }
        return try body()
    }
}
