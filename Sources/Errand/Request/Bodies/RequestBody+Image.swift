extension RequestBody {
    /// Creates a body from an image, whose first bytes determine its media type: PNG, JPEG, GIF or WebP.
    ///
    /// Any other data fails the request with `bodyEncodingFailed`. To send an image of another format, use
    /// ``data(_:type:)``.
    public static func image(_ image: Data) -> RequestBody {
        let type = ContentType(sniffingImage: image)
        return RequestBody(type: type) { _ in
            guard type != nil else {
                throw ErrandError(.bodyEncodingFailed, reason: "the image is not a PNG, JPEG, GIF or WebP file")
            }
            return .data(image)
        }
    }
}

extension ContentType {
    /// Detects the format as the WHATWG's MIME Sniffing standard does (section 6.1); `nil` for any other data.
    fileprivate init?(sniffingImage image: Data) {
        let start = Array(image.prefix(14))
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if start.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if start.starts(with: "GIF87a".utf8) || start.starts(with: "GIF89a".utf8) {
            self = .gif
        } else if start.starts(with: "RIFF".utf8), start.dropFirst(8).elementsEqual("WEBPVP".utf8) {
            self = .webp
        } else {
            return nil
        }
    }
}
