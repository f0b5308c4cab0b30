import Errand
import ErrandAuth
import TestSupport
import Testing

@Suite(.interop(.moto), .hangGuard) struct `Object storage: signatures` {
    private static func signature(_ credential: AWSCredential) -> AWSSignature {
        AWSSignature(credential, region: "eu-central-1", service: "s3")
    }

    @Test func `a signature with a wrong secret is rejected`() async throws {
        var bucket = try await Moto.bucket()
        bucket.signature = Self.signature(AWSCredential(id: try await Moto.shared.value.credential.id, secret: "x"))
        await expectRefusal(.signatureDoesNotMatch, status: 403) {
            try await PutObject("note", .text("x"), in: bucket).start().value
        }
        await expectRefusal(.signatureDoesNotMatch, status: 403) {
            for try await _ in bucket.objects() {}
        }
    }

    @Test func `a signature with an unknown access key is rejected`() async throws {
        var bucket = try await Moto.bucket()
        bucket.signature = Self.signature(AWSCredential(id: "AKIAIOSFODNN7EXAMPLE", secret: "x"))
        await expectRefusal(.invalidAccessKeyID, status: 403) {
            try await PutObject("note", .text("x"), in: bucket).start().value
        }
    }

    @Test func `a signature covers header fields, ranges and unhashed bodies`() async throws {
        var bucket = try await Moto.bucket()
        bucket.signature.signsBodies = false
        _ = try await PutObject("note", .text("0123456789"), in: bucket, metadata: ["two": "a  b"]).start().value
        let object = try await GetObject("note", .bytes(1...2), in: bucket).start().value
        #expect(object.data == Data("12".utf8))
    }
}
