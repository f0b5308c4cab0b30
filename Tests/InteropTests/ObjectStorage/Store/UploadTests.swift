import Errand
import ErrandAuth
import ErrandResilience
import TestSupport
import Testing

@Suite(.interop(.moto), .hangGuard) struct `Object storage: multipart uploads` {
    private let content = Data.numbered(12_000_000)

    @Test(arguments: [false, true]) func `a multipart upload of 12 MB becomes one object`(_ isFile: Bool) async throws {
        var bucket = try await Moto.bucket()
        // Twelve megabytes take a debug build a while to hash.
        bucket.signature.signsBodies = false
        let file = try TemporaryFile(content)
        let source: MultipartUpload.Source = isFile ? .file(file.url) : .data(content)
        let upload = MultipartUpload(of: source, to: "big + file", type: .mp4, in: bucket, partSize: 5 << 20)
        let version = try await upload.start().value
        // A store marks objects that were uploaded in parts with this suffix.
        #expect(version.etag?.hasSuffix("-3\"") == true)
        let object = try await GetObject("big + file", in: bucket).start().value
        #expect(object.data == content)
        #expect(object.metadata.contentType == .mp4)
        #expect(try await ListMultipartUploads(in: bucket).start().value.isEmpty)
    }

    @Test func `a cancelled multipart upload leaves nothing in the store`() async throws {
        var bucket = try await Moto.bucket(requestsAtOnce: 1)
        bucket.signature.signsBodies = false
        // Sends the first part, and holds the second until the upload is cancelled.
        let holding = HoldingParts(CurlTransport.direct(), after: 1)
        bucket.session = holding
        let pipeline = MultipartUpload(of: .data(content), to: "big", in: bucket, partSize: 5 << 20).start()
        let sending = Task { try await pipeline.value }
        try await holding.gate.waitForArrivals(1)
        #expect(try await ListMultipartUploads(in: try await freely(bucket)).start().value.map(\.key) == ["big"])
        sending.cancel()
        await expectFailure(.cancelled) { try await sending.value }
        #expect(try await ListMultipartUploads(in: bucket).start().value.isEmpty)
        await expectRefusal(.noSuchKey) { try await GetObject("big", in: bucket).start().value }
    }

    @Test func `a multipart upload of a file that is truncated leaves nothing in the store`() async throws {
        var bucket = try await Moto.bucket(requestsAtOnce: 1)
        let file = try TemporaryFile(content)
        let holding = HoldingParts(CurlTransport.direct(), after: 1)
        bucket.session = holding
        let pipeline = MultipartUpload(of: .file(file.url), to: "big", in: bucket, partSize: 5 << 20).start()
        let sending = Task { try await pipeline.value }
        try await holding.gate.waitForArrivals(1)
        try file.resize(to: 6 << 20)
        holding.gate.open()
        await expectFailure(.bodyCountMismatch) { try await sending.value }
        #expect(try await ListMultipartUploads(in: bucket).start().value.isEmpty)
    }

    @Test func `aborting a multipart upload twice fails with its error code`() async throws {
        let bucket = try await Moto.bucket()
        let id = try await CreateMultipartUpload("big", type: nil, in: bucket).start().value
        try await AbortMultipartUpload(id, key: "big", in: bucket).start().value
        await expectRefusal(.noSuchUpload, status: 404) {
            try await AbortMultipartUpload(id, key: "big", in: bucket).start().value
        }
    }

    @Test func `completing a multipart upload with an unknown part is rejected`() async throws {
        let bucket = try await Moto.bucket()
        let id = try await CreateMultipartUpload("big", type: nil, in: bucket).start().value
        _ = try await UploadPart(1, .text("x"), of: id, key: "big", in: bucket).start().value
        let parts = [UploadedPart(number: 1, etag: "\"00000000000000000000000000000000\"")]
        await expectRefusal(.invalidPart, status: 400) {
            try await CompleteMultipartUpload(id, of: parts, key: "big", in: bucket).start().value
        }
    }

    /// The same bucket with a separate limit.
    private func freely(_ bucket: Bucket) async throws -> Bucket {
        var other = bucket
        other.limit = ConcurrencyLimit(4)
        return other
    }
}

/// A transport that sends the first few parts of uploads, and holds the others until the gate opens.
private final class HoldingParts: Transport {
    let gate = Gate()
    private let transport: any Transport
    private let free: Locked<Int>

    init(_ transport: any Transport, after free: Int) {
        self.transport = transport
        self.free = Locked(free)
    }

    func send(_ request: TransportRequest) async throws -> DataResponse {
        if request.urlRequest.url?.query?.contains("partNumber") == true {
            let isFree = free.withLock { free in
                free -= 1
                return free >= 0
            }
            if !isFree { try await gate.pass() }
        }
        return try await transport.send(request)
    }
}
