extension HeaderFields {
    /// The name of a header field: a registered name or any other token.
    ///
    /// ```swift
    /// headers[.ifNoneMatch] = tag
    /// headers["X-Tenant"] = "blue"
    /// ```
    ///
    /// Names are compared without regard to the case of ASCII letters (RFC 9110, section 5.1), and sent as written. If
    /// a name is not a token, building the request fails with ``ErrandError/Code-swift.struct/invalidHeaderField``.
    public struct Name: RawRepresentable, Hashable, Sendable {
        /// The name as written.
        public let rawValue: String

        /// Creates a name, which is not checked before the request is built.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Creates a name, which is not checked before the request is built.
        public init(_ name: String) {
            self.init(rawValue: name)
        }

        /// Returns whether both are names of the same field.
        public static func == (one: Name, other: Name) -> Bool {
            one.rawValue.equalsIgnoringASCIICase(other.rawValue)
        }

        /// Hashes the name consistently with equality.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(rawValue.asciiLowercased)
        }
    }
}

extension HeaderFields.Name: ExpressibleByStringInterpolation, CustomStringConvertible {
    /// Creates a name from a literal.
    public init(stringLiteral name: String) {
        self.init(rawValue: name)
    }

    /// Returns ``rawValue``.
    public var description: String { rawValue }
}

extension HeaderFields.Field {
    /// Creates a field; the name and the value are not checked before the request is built.
    public init(_ name: HeaderFields.Name, _ value: String) {
        self.init(name.rawValue, value)
    }
}

extension HeaderFields {
    /// The value of a field; `nil` if it is missing; see ``subscript(_:)-(String)``.
    public subscript(name: Name) -> String? {
        get { self[name.rawValue] }
        set { self[name.rawValue] = newValue }
    }

    /// All values of a field, one for each occurrence; see ``subscript(values:)-(String)``.
    public subscript(values name: Name) -> [String] {
        get { self[values: name.rawValue] }
        set { self[values: name.rawValue] = newValue }
    }

    /// Appends a field, and keeps fields of the same name.
    public mutating func add(_ name: Name, _ value: String) {
        add(name.rawValue, value)
    }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    /// Creates fields in the order of the literal; a repeated name creates a repeated field.
    public init(dictionaryLiteral elements: (Name, String)...) {
        self.init(elements.map { Field($0.0, $0.1) })
    }
}
