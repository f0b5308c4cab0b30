/// The value of a `Link` field: the parsed value is written and parsed again.
@Sendable func fuzzLink(_ input: consuming FuzzInput) {
    let links = LinkParser.links(in: input.text)
    let written = links.map { link in
        link.parameters.reduce(into: "<\(link.target)>") { text, parameter in
            let escaped = parameter.value.unicodeScalars.reduce(into: "") { text, scalar in
                if scalar == "\"" || scalar == "\\" { text += "\\" }
                text.unicodeScalars.append(scalar)
            }
            text += ";\(parameter.name)=\"\(escaped)\""
        }
    }
    let again = LinkParser.links(in: written.joined(separator: ","))
    expect(again.count == links.count, "a link is lost")
    for (one, other) in zip(links, again) {
        expect(one.target == other.target, "a target differs")
        expect(one.parameters.elementsEqual(other.parameters, by: ==), "parameters differ")
    }
    let headers = HeaderFields([HeaderFields.Field("Link", input.text)])
    for base in [nil, URL(string: "https://api.example.com/v1/users?page=2")] {
        let next = headers.webLink("next", relativeTo: base)
        expect(next?.url(relativeTo: base) == headers.link("NEXT", relativeTo: base), "links differ")
        expect(next?.relations.contains("next") != false, "the link has another relation")
    }
}

/// The value of a `Cache-Control` field: no directive hides a later one, and every number is within bounds.
@Sendable func fuzzCacheControl(_ input: consuming FuzzInput) {
    let text = input.text
    expect(CacheControl(text + ", no-store").has("no-store"), "a directive is hidden")
    let control = CacheControl(text)
    for name in ["max-age", "s-maxage", "stale-if-error", "no-cache", "private"] {
        expect(control.seconds(name).map { (0...HeaderFields.maximumSeconds).contains($0) } ?? true, "out of bounds")
        expect(control.has(name) == (control.seconds(name) != nil), "there, and not there")
        expect(control.fieldNames(name).allSatisfy { !$0.isEmpty }, "a field without a name")
    }
}

/// A media type: the parsed value is written and parsed again, and the lenient parser returns the same.
@Sendable func fuzzMediaType(_ input: consuming FuzzInput) {
    let lenient = ContentType(lenient: input.text)
    guard let type = ContentType(input.text) else {
        expect(
            lenient.map { ContentType($0.description) == $0 } ?? true, "a lenient type is not read as it was written")
        return
    }
    expect(lenient == type, "leniently it is another type")
    expect(type.isValid && type.includes(type), "a type does not include itself")
    expect(type.essence == "\(type.type)/\(type.subtype)", "type and subtype are not the essence")
    expect(ContentType(type.description) == type, "a type is not read as it was written")
}

/// A date: the parsed value is written and parsed again.
@Sendable func fuzzHTTPDate(_ input: consuming FuzzInput) {
    var input = input
    let now = Date(timeIntervalSince1970: Double(input.number()) * 1e8)
    guard let date = HTTPDate(input.text, now: now) else { return }
    expect(HTTPDate(date.description, now: now) == date, "a date is not read as it was written")
    expect(HTTPDate(date.date) == date, "a date is not its moment")
}
