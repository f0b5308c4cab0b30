extension HeaderFields {
    /// The fields of a head that Foundation has read, sorted by name. Foundation joins repeated fields with commas and forgets their
    /// order; the cookies of a joined `Set-Cookie` are separated again.
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
    /// The cookies of a list: a comma begins a new one if a name and an equals sign follow. The comma of a date does not. That of a value
    /// such as `a=1,b=2` does, since nothing tells it apart.
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
