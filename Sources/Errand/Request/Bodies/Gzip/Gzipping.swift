extension Data {
    func gzipped() throws -> Data {
        var encoding = try StreamEncoding()
        var encoded = Data()
        encoding.add(self)
        while !encoding.isWhole {
            if encoding.wantsMore { encoding.add(nil) }
            encoded.append(try encoding.next())
        }
        return encoded
    }
}

extension BodyStream {
    func gzipped() throws -> BodyStream {
        BodyStream(of: [self], count: nil) {
            let reading = try GzipReading(self)
            return { try await reading.next() }
        }
    }
}
