// Each kind of value that can be encoded: as text at the end of the text of all nodes, or with a node.
extension JSONTree {
    /// A type whose values are written as text, without a container.
    enum TextType {
        case string, integer, double, bool, strings, integers, doubles, url, date, data, decimal, number
    }

    /// Returns how the values of a type are written as text; `nil` if they need a node.
    @inline(__always)
    func textType(of type: any Encodable.Type) -> TextType? {
        if type == String.self { return .string }
        if type == Int.self { return .integer }
        if type == Double.self { return .double }
        if type == Bool.self { return .bool }
        return otherTextType(of: type)
    }

    private func otherTextType(of type: any Encodable.Type) -> TextType? {
        // With a limit, each element must be checked.
        if !isLaidOut, limit == .max {
            if type == [Double].self { return .doubles }
            if type == [String].self { return .strings }
            if type == [Int].self { return .integers }
        }
        if type == URL.self { return .url }
        if type == Decimal.self { return .decimal }
        if type == JSONNumber.self { return .number }
        if type == Date.self, !encoder.dateEncodingStrategy.isCustom { return .date }
        if type == Data.self, case .base64 = encoder.dataEncodingStrategy { return .data }
        return nil
    }

    // MARK: Values in their places

    /// Encodes a value in the place of an empty node.
    func encode<Value: Encodable>(_ value: Value, in node: Int) throws {
        try checkLimit()
        guard let type = textType(of: Value.self), isWritable(value, as: type, depth: nodes[node].depth) else {
            let empty = nodes[node]
            do {
                return try encodeContainer(value, in: node)
            } catch {
                // The type can then encode another value in place of the one that failed.
                if empty.kind == .empty { reset(node, to: empty) }
                throw error
            }
        }
        beginValue(of: node)
        write(value, as: type)
        endValue(of: node)
    }

    /// Encodes a member of an object.
    @inline(__always)
    func encode<Value: Encodable>(_ value: Value, _ key: some CodingKey, of object: Int) throws {
        try checkLimit()
        if let type = textType(of: Value.self), isWritable(value, as: type, depth: nodes[object].depth &+ 1) {
            let text = openMember(key, of: object)
            write(value, as: type)
            return closeText(text)
        }
        let node = addMember(key, of: object)
        do {
            try encodeContainer(value, in: node)
            try close(node, of: value)
        } catch {
            remove(node)
            throw error
        }
    }

    /// Encodes an element of an array.
    @inline(__always)
    func encode<Value: Encodable>(_ value: Value, number: Int, of array: Int) throws {
        try checkLimit()
        if let type = textType(of: Value.self), isWritable(value, as: type, depth: nodes[array].depth &+ 1) {
            let text = openText(in: array)
            write(value, as: type)
            return closeText(text)
        }
        let node = addElement(number, of: array)
        do {
            try encodeContainer(value, in: node)
            try close(node, of: value)
        } catch {
            remove(node)
            throw error
        }
    }

    /// Encodes a value that needs a node, or that JSON does not have.
    private func encodeContainer<Value: Encodable>(_ value: Value, in node: Int) throws {
        guard nodes[node].depth <= self.encoder.maximumDepth, stack.isLittleUsed || StackLimit.hasRoom else {
            throw tooDeep(value, at: node)
        }
        if isLongText(value) { try exceedLimit() }
        if Value.self == JSONValue.self { return try encode(cast(value) as JSONValue, in: node) }
        let encoder = TreeEncoder(tree: self, reference: reference(to: node))
        // A number comes here only if it is not finite.
        if Value.self == Double.self { return try encodeNonFinite(cast(value), in: node) }
        if Value.self == Decimal.self { return try encodeNonFinite(.nan, in: node) }
        if Value.self == Date.self {
            guard case .custom(let encode) = self.encoder.dateEncodingStrategy else {
                return try encodeNonFinite(number(of: cast(value)) ?? .nan, in: node)
            }
            return try encode(cast(value), encoder)
        }
        if Value.self == Data.self, case .custom(let encode) = self.encoder.dataEncodingStrategy {
            return try encode(cast(value), encoder)
        }
        // A cast to a protocol takes longer than encoding most values.
        if !usesDefaultKeys { nodes[node].isDictionary = value is any StringKeyed }
        try value.encode(to: encoder)
    }

    /// The error of a value that is nested too deeply.
    func tooDeep(_ value: Any, at node: Int) -> EncodingError {
        .invalidValue(
            value,
            EncodingError.Context(
                codingPath: path(of: node),
                debugDescription:
                    "arrays and objects are nested deeper than \(encoder.maximumDepth), or than the stack allows"))
    }

    /// Encodes a number that JSON does not have.
    func encodeNonFinite(_ value: Double, in node: Int) throws {
        guard case .convertToString(let positive, let negative, let nan) = encoder.nonConformingFloatEncodingStrategy
        else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(
                    codingPath: path(of: node),
                    debugDescription: "JSON has no numbers that are infinite or not a number"))
        }
        beginValue(of: node)
        text.pointee.append(value.isNaN ? nan : value < 0 ? negative : positive)
        endValue(of: node)
    }

    // MARK: Text

    /// Whether a value can be written as text. This excludes infinity and NaN, arrays that are nested too deeply, and
    /// texts that exceed the limit.
    @inline(__always)
    private func isWritable<Value>(_ value: Value, as type: TextType, depth: UInt32) -> Bool {
        switch type {
        case .string, .data: !isLongText(value)
        case .double: (cast(value) as Double).isFinite
        case .doubles: depth < encoder.maximumDepth && (cast(value) as [Double]).allSatisfy(\.isFinite)
        case .strings, .integers: depth < encoder.maximumDepth
        case .date: number(of: cast(value) as Date)?.isFinite ?? true
        case .decimal: !(cast(value) as Decimal).isNaN
        default: true
        }
    }

    /// Whether a value is a single text, or data, that exceeds the limit.
    @inline(__always)
    func isLongText<Value>(_ value: Value) -> Bool {
        if limit == .max { return false }
        if Value.self == String.self { return (cast(value) as String).utf8.count > limit }
        return Value.self == Data.self && (cast(value) as Data).count > limit
    }

    @inline(__always)
    private func write<Value>(_ value: Value, as type: TextType) {
        switch type {
        case .string: text.pointee.append(cast(value) as String)
        case .integer: text.pointee.append(cast(value) as Int)
        case .double: text.pointee.append(cast(value) as Double, powers)
        case .bool: text.pointee.append(literal: (cast(value) as Bool) ? "true" : "false")
        default: writeOther(value, as: type)
        }
    }

    private func writeOther<Value>(_ value: Value, as type: TextType) {
        switch type {
        case .string, .integer, .double, .bool: break
        case .doubles: writeArray(cast(value) as [Double]) { text.pointee.append($0, powers) }
        case .strings: writeArray(cast(value) as [String]) { text.pointee.append($0) }
        case .integers: writeArray(cast(value) as [Int]) { text.pointee.append($0) }
        case .url: text.pointee.append((cast(value) as URL).absoluteString)
        case .date: write(cast(value) as Date)
        case .data: text.pointee.append((cast(value) as Data).base64EncodedString())
        case .decimal: text.pointee.appendText("\(cast(value) as Decimal)")
        case .number: text.pointee.appendText((cast(value) as JSONNumber).description)
        }
    }

    @inline(__always)
    private func writeArray<Element>(_ elements: [Element], _ write: (Element) -> Void) {
        text.pointee.append(UInt8(ascii: "["))
        for index in elements.indices {
            if index > 0 { text.pointee.append(UInt8(ascii: ",")) }
            write(elements[index])
        }
        text.pointee.append(UInt8(ascii: "]"))
    }

    private func write(_ date: Date) {
        if let number = number(of: date) {
            text.pointee.append(number, powers)
        } else if let formatter = encoder.dateEncodingStrategy.formatter {
            text.pointee.append(formatter.string(from: date))
        } else {
            text.pointee.append(Date.ISO8601FormatStyle().format(date))
        }
    }

    /// Returns the number that stands for a date, or `nil` if the strategy writes a string.
    private func number(of date: Date) -> Double? {
        let strategy = encoder.dateEncodingStrategy
        if strategy.formatter != nil { return nil }
        if case .iso8601 = strategy { return nil }
        if case .secondsSince1970 = strategy { return date.timeIntervalSince1970 }
        if case .millisecondsSince1970 = strategy { return date.timeIntervalSince1970 * 1_000 }
        return date.timeIntervalSinceReferenceDate
    }

    /// Returns a value as the type that it is known to have.
    @inline(__always)
    private func cast<Value, Result>(_ value: Value) -> Result {
        assert(Value.self == Result.self)
        return withUnsafePointer(to: value) { UnsafeRawPointer($0).assumingMemoryBound(to: Result.self).pointee }
    }
}

extension JSONEncoder.DateEncodingStrategy {
    fileprivate var isCustom: Bool {
        guard case .custom = self else { return false }
        return true
    }
}

/// A dictionary whose keys the key strategy does not convert.
protocol StringKeyed {}
extension Dictionary: StringKeyed where Key == String {}
