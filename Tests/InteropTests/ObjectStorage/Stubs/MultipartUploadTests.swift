import Errand
import ErrandAuth
import TestSupport
import Testing

struct `An upload in parts` {
    private let content = Data(count: 6 * PartPlan.minimumSize)

    private func upload(_ parts: Int, in bucket: Bucket) -> Pipeline<StoredVersion, any Error> {
        var bucket = bucket
        bucket.signature.signsBodies = false
        return MultipartUpload(
            of: .data(content.prefix(parts * PartPlan.minimumSize)), to: "film", in: bucket, partSize: 0
        ).start()
    }

    @Test func `a multipart upload is created and completed with its parts in order`() async throws {
        let store = PartStore()
        #expect(try await upload(3, in: store.bucket()).value.etag == "\"whole\"")
        let steps = store.steps.elements
        #expect(steps.first == "POST uploads=")
        #expect(steps.dropFirst().dropLast().sorted() == ["PUT 1", "PUT 2", "PUT 3"])
        #expect(steps.last == "POST 1 \"tag 1\" 2 \"tag 2\" 3 \"tag 3\"")
    }

    @Test func `a multipart upload sends no more parts at once than the limit`() async throws {
        let store = PartStore()
        let gate = Gate()
        let pipeline = upload(6, in: store.bucket(requestsAtOnce: 2, storing: { _ in try await gate.pass() }))
        let sending = Task { try await pipeline.value }
        try await gate.waitForArrivals(2)
        #expect(store.parts.active == 2)
        gate.open()
        _ = try await sending.value
        #expect(store.parts.most == 2)
        #expect(gate.arrivals == 6)
    }

    @Test func `a multipart upload with a rejected part is aborted and fails with that error`() async {
        let store = PartStore()
        let bucket = store.bucket(
            requestsAtOnce: 1,
            storing: { part in
                if part == 2 { throw Refusal(status: 403, code: "AccessDenied") }
            })
        await expectRefusal(.accessDenied, status: 403) { try await upload(6, in: bucket).value }
        #expect(store.steps.elements == ["POST uploads=", "PUT 1", "PUT 2", "DELETE"])
    }

    @Test func `a cancelled multipart upload is aborted after its parts have ended`() async throws {
        let store = PartStore()
        let gate = Gate()
        let pipeline = upload(6, in: store.bucket(requestsAtOnce: 2, storing: { _ in try await gate.pass() }))
        let sending = Task { try await pipeline.value }
        try await gate.waitForArrivals(2)
        sending.cancel()
        await expectFailure(.cancelled) { try await sending.value }
        #expect(store.steps.elements.last == "DELETE")
        #expect(store.steps.elements.count == 4)
        #expect(store.parts.active == 0)
    }

    @Test func `a multipart upload cancelled before it has an identifier is aborted`() async throws {
        let store = PartStore()
        let gate = Gate()
        let pipeline = upload(6, in: store.bucket(creating: { try await gate.pass() }))
        let sending = Task { try await pipeline.value }
        try await gate.waitForArrivals(1)
        sending.cancel()
        gate.open()
        await expectFailure(.cancelled) { try await sending.value }
        #expect(store.steps.elements == ["POST uploads=", "DELETE"])
    }

    @Test func `a multipart upload is aborted if completing it fails with status 200`() async {
        let store = PartStore()
        let bucket = store.bucket(completing: { throw Refusal(status: 200, code: "InternalError") })
        await expectRefusal(ObjectStorageError.Code(rawValue: "InternalError"), status: 200) {
            try await upload(1, in: bucket).value
        }
        #expect(store.steps.elements.last == "DELETE")
    }

    @Test func `the first failure of a multipart upload is thrown even if the abort fails`() async {
        let store = PartStore()
        let bucket = store.bucket(
            aborting: { throw Refusal(status: 500, code: "InternalError") },
            storing: { _ in throw Refusal(status: 400, code: "EntityTooSmall") })
        await expectRefusal(.entityTooSmall, status: 400) { try await upload(1, in: bucket).value }
        #expect(store.steps.elements == ["POST uploads=", "PUT 1", "DELETE"])
    }

    @Test func `a task that is already cancelled does not create a multipart upload`() async {
        let store = PartStore()
        let pipeline = upload(1, in: store.bucket())
        let sending = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await pipeline.value
        }
        await expectFailure(.cancelled) { try await sending.value }
        #expect(store.steps.elements.isEmpty)
    }

    @Test func `the abort of a multipart upload has a short time limit`() async throws {
        let (bucket, sent) = Bucket.example(
            respondingWith: 200,
            "<InitiateMultipartUploadResult><Key>a</Key><UploadId>7</UploadId></InitiateMultipartUploadResult>")
        _ = try await CreateMultipartUpload("a", type: nil, in: bucket).start().value
        try await AbortMultipartUpload("7", key: "a", in: bucket).start().value
        #expect(sent.elements.map(\.resourceTimeout) == [.seconds(30), .seconds(10)])
    }

    @Test func `a multipart upload that was not created is not aborted`() async {
        let store = PartStore()
        let bucket = store.bucket(creating: { throw Refusal(status: 404, code: "NoSuchBucket") })
        await expectRefusal(.noSuchBucket, status: 404) { try await upload(1, in: bucket).value }
        #expect(store.steps.elements == ["POST uploads="])
        await expectFailure(.bodyEncodingFailed) {
            let missing = URL(filePath: "/nowhere/at/all")
            return try await MultipartUpload(of: .file(missing), to: "film", in: store.bucket()).start().value
        }
        #expect(store.steps.elements == ["POST uploads="])
    }

    @Test func `a failed part of a multipart upload is retried by itself`() async throws {
        let store = PartStore()
        let failures = Locked(1)
        var bucket = store.bucket(
            requestsAtOnce: 1,
            storing: { part in
                let fails = failures.withLock { left in
                    guard part == 2, left > 0 else { return false }
                    left -= 1
                    return true
                }
                if fails { throw Refusal(status: 503, code: "SlowDown") }
            })
        bucket.retryPolicy = .immediate
        _ = try await upload(3, in: bucket).value
        #expect(Array(store.steps.elements.dropFirst().dropLast()) == ["PUT 1", "PUT 2", "PUT 2", "PUT 3"])
    }
}

struct `The plan of an upload` {
    private static let least = PartPlan.minimumSize
    private static let cases: [(Int, Int, [Int])] = [
        (0, least, [0]), (1, least, [1]), (least, least, [least]), (least + 1, least, [least, 1]),
        (2 * least + 7, 0, [least, least, 7]), (7, Int.max, [7]), (-1, -1, [0]), (least + 7, Int.min, [least, 7]),
    ]

    @Test(arguments: cases)
    func `the sizes of the parts are valid for a store`(_ byteCount: Int, _ partSize: Int, _ counts: [Int]) {
        let ranges = PartPlan(byteCount: byteCount, partSize: partSize).ranges
        #expect(ranges.map { $0.count } == counts)
        #expect(ranges.first?.lowerBound == 0)
        #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    }

    @Test(arguments: [Int.max, least * PartPlan.maximumCount + 1])
    func `a multipart upload has at most as many parts as a store accepts`(_ byteCount: Int) {
        let ranges = PartPlan(byteCount: byteCount, partSize: 5 << 20).ranges
        #expect(ranges.count <= 10_000)
        #expect(ranges.last?.upperBound == byteCount)
    }
}
