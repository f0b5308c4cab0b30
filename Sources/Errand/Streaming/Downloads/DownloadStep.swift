/// What there is of a file, and under what terms the rest of it may be asked for.
struct ResumePoint: Hashable, Sendable {
    /// How many bytes there are.
    var count: Int64
    var validator: RepresentationValidator
    /// How many bytes the file has; nil where no server said.
    var total: Int64?
    /// What all of it has to hash to; nil where no server said.
    var digest: FileDigest?

    /// What asks for the rest (RFC 9110, sections 13.1.5 and 14.2).
    var fields: HeaderFields { ["Range": "bytes=\(count)-", "If-Range": validator.fieldValue] }
}

/// What is to be done with the answer to a download: the rules of RFC 9110 about ranges, and nothing else.
enum DownloadStep: Hashable, Sendable {
    /// The content is the whole file, from its beginning.
    case begin(Representation)
    /// The content is so many bytes of the file, behind those that are there.
    case append(Part)
    /// All of the file is there already.
    case complete
    /// What is there is of another file, or cannot be gone on with: to be asked for again, from its beginning.
    case startAgain

    /// What an answer says of a whole file.
    struct Representation: Hashable, Sendable {
        /// Nil where the download cannot be resumed.
        var validator: RepresentationValidator?
        var total: Int64?
        /// What all of it has to hash to.
        var digest: FileDigest?
    }

    /// What an answer says of a part.
    struct Part: Hashable, Sendable {
        /// How many bytes it has.
        var count: Int64
        /// How many bytes the file has; nil where no server said.
        var total: Int64?
        /// What all of the file has to hash to.
        var digest: FileDigest?
        /// What the part has to hash to.
        var contentDigest: FileDigest?
    }

    /// Decides on an answer.
    ///
    /// - Parameter point: What the request asked to continue from; nil when it asked for all.
    /// - Throws: ``ErrandError`` with `unacceptableStatusCode` for an answer that is no file, and with `invalidContentRange`
    ///   for a part that is not the one asked for.
    init(statusCode: Int, headers: HeaderFields, continuing point: ResumePoint?) throws(ErrandError) {
        switch (statusCode, point) {
        // 203: a proxy changed something, so that what it says of the file may not hold for the next time.
        case (200, _), (203, _):
            self = .begin(Representation(headers, isTransformed: statusCode == 203))
        case (206, let point?):
            self = try Self.part(headers, of: point)
        case (206, nil):
            throw ErrandError(.invalidContentRange, reason: "a part came where all was asked for")
        case (416, let point?):
            self = Self.unsatisfied(headers, of: point)
        default:
            throw ErrandError(.unacceptableStatusCode, reason: "\(statusCode) is no file")
        }
    }

    private static func part(_ headers: HeaderFields, of point: ResumePoint) throws(ErrandError) -> DownloadStep {
        if headers["Content-Type"]?.lowercased().hasPrefix("multipart/byteranges") == true {
            throw ErrandError(.invalidContentRange, reason: "several parts came where one was asked for")
        }
        // The server took no notice of the condition.
        guard !point.validator.isContradicted(by: headers), !headers.hasContentCoding else { return .startAgain }
        guard let range = headers.contentRange, let bytes = range.bytes else {
            throw ErrandError(.invalidContentRange, reason: "the part does not say where it belongs")
        }
        guard bytes.lowerBound == point.count else {
            throw ErrandError(.invalidContentRange, reason: "the part begins elsewhere than asked for")
        }
        if let total = point.total, let other = range.total, total != other { return .startAgain }
        let digest = headers.representationDigest ?? point.digest
        if let known = point.digest, known != digest, known.algorithm == digest?.algorithm { return .startAgain }
        let total = range.total ?? point.total
        let count = bytes.upperBound - bytes.lowerBound + 1
        guard total.map({ bytes.upperBound < $0 }) ?? true, headers.declaredContentLength.map({ $0 == count }) ?? true
        else { throw ErrandError(.invalidContentRange, reason: "the part is not as long as it says") }
        return .append(Part(count: count, total: total, digest: digest, contentDigest: headers.contentDigest))
    }

    /// There is nothing behind what is there: because it is whole, or because the file is a shorter one now.
    private static func unsatisfied(_ headers: HeaderFields, of point: ResumePoint) -> DownloadStep {
        let range = headers.contentRange
        let isWhole = range?.bytes == nil && range?.total == point.count && (point.total ?? point.count) == point.count
        return isWhole && !point.validator.isContradicted(by: headers) ? .complete : .startAgain
    }
}

extension DownloadStep.Representation {
    fileprivate init(_ headers: HeaderFields, isTransformed: Bool) {
        // What a coding was taken off has neither the bytes nor the length that the server speaks of.
        guard !headers.hasContentCoding else { return }
        let refusesRanges = headers["Accept-Ranges"]?.lowercased() == "none"
        validator = refusesRanges || isTransformed ? nil : RepresentationValidator(headers)
        total = headers.declaredContentLength
        // The content of a whole answer is the representation, so its digest holds for that too.
        digest = headers.representationDigest ?? headers.contentDigest
    }
}
