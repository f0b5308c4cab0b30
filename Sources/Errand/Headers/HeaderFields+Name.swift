extension HeaderFields {
    /// The name of a header field: one of the registered ones, or any other token.
    ///
    /// ```swift
    /// headers[.ifNoneMatch] = tag
    /// headers["X-Tenant"] = "blue"
    /// ```
    ///
    /// Names are equal without regard to the case of ASCII letters (RFC 9110, section 5.1), and sent as they were written.
    /// One that is no token is refused when the request is built, with
    /// ``ErrandError/Code-swift.struct/invalidHeaderField``.
    public struct Name: RawRepresentable, Hashable, Sendable {
        /// The name as it was written.
        public let rawValue: String

        /// Any name, unchecked until the request is built.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Any name, unchecked until the request is built.
        public init(_ name: String) {
            self.init(rawValue: name)
        }

        /// Equal when they name the same field.
        public static func == (one: Name, other: Name) -> Bool {
            one.rawValue.equalsIgnoringASCIICase(other.rawValue)
        }

        /// Consistent with equality.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(rawValue.asciiLowercased)
        }
    }
}

extension HeaderFields.Name: ExpressibleByStringInterpolation, CustomStringConvertible {
    /// A name written as a literal.
    public init(stringLiteral name: String) {
        self.init(rawValue: name)
    }

    /// The same as ``rawValue``.
    public var description: String { rawValue }
}

extension HeaderFields.Field {
    /// A field of this name and value; neither is checked before the request is built.
    public init(_ name: HeaderFields.Name, _ value: String) {
        self.init(name.rawValue, value)
    }
}

extension HeaderFields {
    /// The value of a field, nil when there is none; see ``subscript(_:)-(String)``.
    public subscript(name: Name) -> String? {
        get { self[name.rawValue] }
        set { self[name.rawValue] = newValue }
    }

    /// Every value of a field, one for each time it appears; see ``subscript(values:)-(String)``.
    public subscript(values name: Name) -> [String] {
        get { self[values: name.rawValue] }
        set { self[values: name.rawValue] = newValue }
    }

    /// Appends a field and keeps those of the same name.
    public mutating func add(_ name: Name, _ value: String) {
        add(name.rawValue, value)
    }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    /// The fields in the order of the literal; a repeated name is a repeated field.
    public init(dictionaryLiteral elements: (Name, String)...) {
        self.init(elements.map { Field($0.0, $0.1) })
    }
}
