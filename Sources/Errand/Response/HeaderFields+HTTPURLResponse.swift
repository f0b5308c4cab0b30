extension HeaderFields {
    /// Creates the fields of a head that Foundation has parsed, sorted by name. Foundation joins repeated fields with
    /// commas and does not keep their order. The cookies of a joined `Set-Cookie` are separated again.
    init(_ response: HTTPURLResponse) {
        let fields = response.allHeaderFields.compactMap { name, value in
            (name as? String).map { Field($0, "\(value)") }
        }
        self.init(
            fields.sorted { $0.name < $1.name }.flatMap { field in
                field.name.equalsIgnoringASCIICase("Set-Cookie")
                    ? field.value.separatedCookies.map { Field(field.name, $0) } : [field]
            })
    }
}

extension String {
    /// The cookies of a list. A comma begins a new cookie if a name and an equals sign follow. The comma of a date does
    /// not, but that of a value such as `a=1,b=2` does, because it cannot be distinguished.
    fileprivate var separatedCookies: [String] {
        var cookies: [String] = []
        for part in split(separator: ",", omittingEmptySubsequences: false) {
            let name = part.prefix { $0 != "=" && $0 != ";" }
            let beginsCookie = name.endIndex < part.endIndex && part[name.endIndex] == "=" && name.isCookieName
            if let last = cookies.indices.last, !beginsCookie {
                cookies[last] += ",\(part)"
            } else {
                cookies.append(String(part))
            }
        }
        return cookies.map { String(Substring($0.utf8[...].trimmingBlanks)) }
    }
}

extension Substring {
    fileprivate var isCookieName: Bool { String(Substring(utf8.trimmingBlanks)).isHTTPToken }
}
