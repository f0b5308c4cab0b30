// Each kind of value that a document can be decoded to. A value is named by the index of its token on the tape.
extension JSONDocument {
    /// Decodes a value of any type.
    ///
    /// The types that Foundation's decoder treats in a special way are treated here too. The most frequent types of the
    /// standard library are decoded without a container.
    @inline(__always)
    func decode<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
        if type == String.self { return cast(try string(at: index)) }
        if type == Int.self { return cast(try integer(Int.self, at: index)) }
        if type == Double.self { return cast(try double(at: index)) }
        if type == Bool.self { return cast(try bool(at: index)) }
        return try decodeOther(type, at: index)
    }

    private func decodeOther<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
        // Comparing generic types takes longer than reading the kind of the value, so the kind is checked first.
        if tape[index].kind == .array {
            if type == [Double].self { return cast(try array(at: index) { try double(at: $0) }) }
            if type == [String].self { return cast(try array(at: index) { try string(at: $0) }) }
            if type == [Int].self { return cast(try array(at: index) { try integer(Int.self, at: $0) }) }
        }
        if type == URL.self { return cast(try url(at: index)) }
        if type == Date.self { return cast(try date(at: index)) }
        if type == Data.self { return cast(try data(at: index)) }
        if type == Decimal.self { return cast(try decimal(at: index)) }
        if type == JSONValue.self { return cast(try jsonValue(at: index)) }
        if type == JSONNumber.self { return cast(try number(at: index)) }
        guard stack.isLittleUsed || StackLimit.hasRoom else {
            throw corrupted("arrays and objects are nested deeper than the thread's stack allows", at: index)
        }
        let decoder = TapeDecoder(document: self, index: index)
        do {
            if !usesDefaultKeys, type is any StringDictionary.Type {
                return try withPlainKeys(of: index) { try Value(from: decoder) }
            }
            return try Value(from: decoder)
        } catch {
            throw located(error, of: type, at: index)
        }
    }

    /// Returns a value as `Result`, which must be its type, without the cost of a dynamic cast.
    @inline(__always)
    private func cast<Value, Result>(_ value: Value) -> Result {
        assert(Value.self == Result.self)
        return withUnsafePointer(to: value) { UnsafeRawPointer($0).assumingMemoryBound(to: Result.self).pointee }
    }

    // MARK: Primitive values

    @inline(__always)
    func isNull(at index: Int) -> Bool { tape[index].kind == .null }

    @inline(__always)
    func bool(at index: Int) throws -> Bool {
        switch tape[index].kind {
        case .true: true
        case .false: false
        default: throw mismatch(Bool.self, at: index)
        }
    }

    @inline(__always)
    func string(at index: Int) throws -> String {
        let kind = tape[index].kind
        guard kind == .string || kind == .text else { throw mismatch(String.self, at: index) }
        return tape.string(at: index)
    }

    @inline(__always)
    func integer<Value: FixedWidthInteger>(_ type: Value.Type, at index: Int) throws -> Value {
        let token = tape[index]
        guard token.kind == .number else { throw mismatch(type, at: index) }
        guard let value = JSONDecimal.integer(tape.text(of: index), hasFractionOrExponent: token.isMarked, as: type)
        else {
            throw corrupted("a number does not fit in \(type)", at: index)
        }
        return value
    }

    @inline(__always)
    func double(at index: Int) throws -> Double {
        guard tape[index].kind == .number else { return try nonConforming(Double.self, at: index) }
        let decimal = JSONDecimal(tape.text(of: index))
        guard let value = decimal.nearestDouble(powers) else { return try slowNumber(Double.self, at: index) }
        // A number that is not zero, but is rounded to zero, does not fit.
        guard value.isFinite, value != 0 || decimal.digits == 0 else {
            throw corrupted("a number does not fit in Double", at: index)
        }
        return value
    }

    func float(at index: Int) throws -> Float {
        guard tape[index].kind == .number else { return try nonConforming(Float.self, at: index) }
        return try slowNumber(Float.self, at: index)
    }

    /// Decodes a `Float`, or a number with too many digits for ``JSONDecimal``, with the slower standard library.
    @inline(never)
    private func slowNumber<Value: BinaryFloatingPoint & LosslessStringConvertible>(
        _ type: Value.Type, at index: Int
    ) throws -> Value {
        let text = String(decoding: tape.text(of: index), as: UTF8.self)
        guard let value = Value(text), value.isFinite, value != 0 || JSONDecimal(tape.text(of: index)).digits == 0
        else {
            throw corrupted("a number does not fit in \(type)", at: index)
        }
        return value
    }

    /// Decodes a string that the strategy reads as infinity or as not a number.
    @inline(never)
    private func nonConforming<Value: BinaryFloatingPoint>(_ type: Value.Type, at index: Int) throws -> Value {
        guard case .convertFromString(let positive, let negative, let nan) = decoder.nonConformingFloatDecodingStrategy,
            let text = try? string(at: index)
        else { throw mismatch(type, at: index) }
        switch text {
        case positive: return .infinity
        case negative: return -.infinity
        case nan: return .nan
        default: throw mismatch(type, at: index)
        }
    }

    // MARK: Arrays of primitive values

    @inline(__always)
    private func array<Element>(at index: Int, _ element: (Int) throws -> Element) throws -> [Element] {
        let token = tape[index]
        var elements: [Element] = []
        elements.reserveCapacity(token.length)
        var at = tape.firstChild(of: index)
        for _ in 0..<token.length {
            elements.append(try element(at))
            at = tape.next(after: at)
        }
        return elements
    }

    // MARK: Types of Foundation

    private func url(at index: Int) throws -> URL {
        guard let url = URL(lenient: try string(at: index)) else {
            throw corrupted("a string is not a valid URL", at: index)
        }
        return url
    }

    private func decimal(at index: Int) throws -> Decimal {
        guard tape[index].kind == .number else { throw mismatch(Decimal.self, at: index) }
        guard let value = JSONNumber(unchecked: String(decoding: tape.text(of: index), as: UTF8.self)).decimal else {
            throw corrupted("a number does not fit in Decimal", at: index)
        }
        return value
    }

    private func date(at index: Int) throws -> Date {
        let strategy = decoder.dateDecodingStrategy
        if let formatter = strategy.formatter {
            guard let date = formatter.date(from: try string(at: index)) else {
                throw corrupted("a string is not a date of the formatter", at: index)
            }
            return date
        }
        if case .custom(let decode) = strategy { return try locating(at: index, decode) }
        if case .iso8601 = strategy {
            let text = try string(at: index)
            guard let date = try? Date.ISO8601FormatStyle().parse(text) else {
                throw corrupted("a string is not an ISO 8601 date", at: index)
            }
            return date
        }
        let number = try double(at: index)
        if case .secondsSince1970 = strategy { return Date(timeIntervalSince1970: number) }
        if case .millisecondsSince1970 = strategy { return Date(timeIntervalSince1970: number / 1_000) }
        // `.deferredToDate`: as `Date` itself does.
        return Date(timeIntervalSinceReferenceDate: number)
    }

    private func data(at index: Int) throws -> Data {
        switch decoder.dataDecodingStrategy {
        case .deferredToData:
            return try Data(from: TapeDecoder(document: self, index: index))
        case .base64:
            guard let data = Data(base64Encoded: try string(at: index)) else {
                throw corrupted("a string is not valid Base64", at: index)
            }
            return data
        case .custom(let decode):
            return try locating(at: index, decode)
        @unknown default:
            return try Data(from: TapeDecoder(document: self, index: index))
        }
    }

    /// Calls a closure that decodes a value, and adds the value's place to its error.
    func locating<Value>(at index: Int, _ decode: (any Decoder) throws -> Value) throws -> Value {
        do {
            return try decode(TapeDecoder(document: self, index: index))
        } catch {
            throw located(error, of: Value.self, at: index)
        }
    }

    private func number(at index: Int) throws -> JSONNumber {
        guard tape[index].kind == .number else { throw mismatch(JSONNumber.self, at: index) }
        return JSONNumber(unchecked: String(decoding: tape.text(of: index), as: UTF8.self))
    }
}

/// A dictionary whose keys the key strategy does not convert.
protocol StringDictionary {}
extension Dictionary: StringDictionary where Key == String {}
