/// The point from which a download resumes, and the conditions for its next request.
struct ResumePoint: Hashable, Sendable {
    /// The number of bytes in the file.
    var count: Int64
    var validator: RepresentationValidator
    /// The length of the complete file; `nil` if no response had it.
    var total: Int64?
    /// The digest of the complete file; `nil` if no response had one.
    var digest: FileDigest?

    /// The header fields that request the rest (RFC 9110, sections 13.1.5 and 14.2).
    var fields: HeaderFields { ["Range": "bytes=\(count)-", "If-Range": validator.fieldValue] }
}

/// The step that follows a response to a download, by the rules of RFC 9110 for ranges. It depends only on the status,
/// the header fields and the requested point.
enum DownloadStep: Hashable, Sendable {
    /// The content is the whole file.
    case begin(Representation)
    /// The content is a part of the file that follows the bytes on disk.
    case append(Part)
    /// The file on disk is already complete.
    case complete
    /// The bytes on disk belong to another representation or cannot be continued. The file must be requested from the
    /// beginning.
    case startAgain

    /// The properties of a complete file, from the response.
    struct Representation: Hashable, Sendable {
        /// The validator; `nil` if the download cannot be resumed.
        var validator: RepresentationValidator?
        var total: Int64?
        /// The digest of the complete file.
        var digest: FileDigest?
    }

    /// The properties of a part, from the response.
    struct Part: Hashable, Sendable {
        /// The number of bytes in the part.
        var count: Int64
        /// The length of the complete file; `nil` if no response had it.
        var total: Int64?
        /// The digest of the complete file.
        var digest: FileDigest?
        /// The digest of the part.
        var contentDigest: FileDigest?
    }

    /// Decides about a response.
    ///
    /// - Parameter point: The point from which the request asked to continue; `nil` if it asked for the whole file.
    /// - Throws: ``ErrandError`` with `unacceptableStatusCode` for a response without a file, or with
    ///   `invalidContentRange` for a part that was not requested, or has no valid range or inconsistent lengths, and
    ///   for a part that claims to be the whole file.
    init(statusCode: Int, headers: HeaderFields, continuing point: ResumePoint?) throws(ErrandError) {
        switch (statusCode, point) {
        // 203: a proxy changed the content, so the validator may not be valid for the next request.
        case (200, _), (203, _):
            try Self.checkWhole(headers)
            self = .begin(Representation(headers, isTransformed: statusCode == 203))
        case (206, let point?):
            self = try Self.part(headers, of: point)
        case (206, nil):
            throw ErrandError(
                .invalidContentRange, reason: "the response is a part (206); the complete file was requested")
        case (416, let point?):
            self = Self.unsatisfied(headers, of: point)
        default:
            throw ErrandError(
                .unacceptableStatusCode, reason: "the status is \(statusCode); a download needs 200, 203 or 206")
        }
    }

    /// Checks that a response with the status of a whole file is not a part. `Content-Range` has no meaning with these
    /// statuses (RFC 9110, section 14.4), but some servers and proxies send parts with them.
    private static func checkWhole(_ headers: HeaderFields) throws(ErrandError) {
        guard let range = headers.contentRange, let bytes = range.bytes else { return }
        // `ContentRange` accepts positions of at most 18 digits, so sums of them cannot overflow, here and below.
        let end = bytes.upperBound + 1
        guard bytes.lowerBound == 0, (range.total ?? end) == end, (headers.declaredContentLength ?? end) == end else {
            throw ErrandError(
                .invalidContentRange,
                reason: "the status is that of a complete file; the Content-Range is \(bytes.lowerBound)"
                    + "-\(bytes.upperBound)/\(range.total.map(String.init) ?? "*")")
        }
    }

    /// Decides about status 206.
    private static func part(_ headers: HeaderFields, of point: ResumePoint) throws(ErrandError) -> DownloadStep {
        if headers.contentType?.essence == "multipart/byteranges" {
            throw ErrandError(.invalidContentRange, reason: "the response has several parts; one range was requested")
        }
        // The server ignored `If-Range`, or the encoded bytes do not continue those on disk.
        if point.validator.isContradicted(by: headers) || headers.hasContentCoding { return .startAgain }
        guard let range = headers.contentRange, let bytes = range.bytes else {
            throw ErrandError(
                .invalidContentRange, reason: "the partial response has no valid Content-Range with a byte range")
        }
        guard bytes.lowerBound == point.count else {
            throw ErrandError(
                .invalidContentRange,
                reason: "the part begins at byte \(bytes.lowerBound); byte \(point.count) was requested")
        }
        if let known = point.total, let declared = range.total, declared != known { return .startAgain }
        let digest = headers.representationDigest ?? point.digest
        // Digests of different algorithms cannot be compared.
        if let known = point.digest, known != digest, known.algorithm == digest?.algorithm { return .startAgain }
        let total = range.total ?? point.total
        let count = bytes.upperBound - bytes.lowerBound + 1
        if let total, bytes.upperBound >= total {
            throw ErrandError(
                .invalidContentRange, reason: "the part ends at byte \(bytes.upperBound) of a file of \(total) bytes")
        }
        if let length = headers.declaredContentLength, length != count {
            throw ErrandError(
                .invalidContentRange, reason: "the part has \(length) bytes; its Content-Range has \(count)")
        }
        return .append(Part(count: count, total: total, digest: digest, contentDigest: headers.contentDigest))
    }

    /// Decides about status 416, which means that no bytes follow those on disk. Either the file is complete, or the
    /// server has a shorter one now. Such a response has `Content-Range: bytes */LENGTH`, which names no range.
    private static func unsatisfied(_ headers: HeaderFields, of point: ResumePoint) -> DownloadStep {
        let range = headers.contentRange
        let isWhole = range?.bytes == nil && range?.total == point.count && (point.total ?? point.count) == point.count
        return isWhole && !point.validator.isContradicted(by: headers) ? .complete : .startAgain
    }
}

extension DownloadStep.Representation {
    fileprivate init(_ headers: HeaderFields, isTransformed: Bool) {
        // If a content coding was removed, the bytes and the length are not those that the server declares.
        guard !headers.hasContentCoding else { return }
        let refusesRanges = headers["Accept-Ranges"]?.lowercased() == "none"
        validator = refusesRanges || isTransformed ? nil : RepresentationValidator(headers)
        total = headers.declaredContentLength
        // The content of a full response is the representation, so its digest also applies to the representation.
        digest = headers.representationDigest ?? headers.contentDigest
    }
}

/// A strong validator of a representation (RFC 9110, section 8.8.1), as used in `If-Range`. Two representations with
/// the same validator are identical byte for byte.
enum RepresentationValidator: Hashable, Sendable, Codable {
    /// A strong entity tag, with its quotes.
    case entityTag(String)
    /// The value of `Last-Modified`, as the server wrote it.
    case lastModified(String)

    /// Creates the validator of a response; `nil` if the response has no strong one.
    ///
    /// A date is used only if there is no entity tag, not even a weak one (section 13.1.5). It must also be at least
    /// one second before the response's own `Date` (section 8.8.2.2). Otherwise, two changes within one second would
    /// have the same date.
    init?(_ headers: HeaderFields) {
        let tags = headers[values: "ETag"]
        if let tag = tags.first {
            guard tags.count == 1, EntityTag(field: tag)?.isWeak == false else { return nil }
            self = .entityTag(tag)
            return
        }
        let dates = headers[values: "Last-Modified"]
        // Both dates come from the server's clock, and only their difference counts. `now` decides the century of years
        // with two digits.
        guard dates.count == 1, let modified = dates.first, let sent = headers["Date"],
            let modifiedDate = HTTPDate(modified, now: .distantFuture)?.date,
            let sentDate = HTTPDate(sent, now: .distantFuture)?.date,
            sentDate.timeIntervalSince(modifiedDate) >= 1
        else { return nil }
        self = .lastModified(modified)
    }

    /// The value for `If-Range`.
    var fieldValue: String {
        switch self {
        case .entityTag(let tag): tag
        case .lastModified(let date): date
        }
    }

    /// Returns `true` if the response belongs to a different representation. A response without the field may belong to
    /// this one.
    func isContradicted(by headers: HeaderFields) -> Bool {
        switch self {
        // A weak tag never equals a strong one (section 8.8.3.2).
        case .entityTag(let tag): (headers["ETag"] ?? tag) != tag
        case .lastModified(let date): (headers["Last-Modified"] ?? date) != date
        }
    }
}

extension HeaderFields {
    /// The length that the response declares for its content; `nil` if it is missing, invalid or ambiguous.
    var declaredContentLength: Int64? {
        let values = Set(self[values: "Content-Length"])
        return values.count == 1 ? values.first.flatMap { BytePosition.read($0[...]) } : nil
    }

    /// Whether the content has a content coding, so that its bytes are not those of the file.
    var hasContentCoding: Bool {
        self["Content-Encoding"].map { field in
            field.split(separator: ",").contains {
                !["identity", ""].contains($0.trimmingCharacters(in: .whitespaces).lowercased())
            }
        } ?? false
    }
}
