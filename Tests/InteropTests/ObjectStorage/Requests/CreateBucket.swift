import Errand
import ErrandAuth

/// Creates the bucket.
final class CreateBucket: ObjectStorageAPI, Request {
    init(_ bucket: Bucket) {
        super.init(bucket)
        method = .put
        let region = bucket.signature.region
        // The only region that must not be named.
        guard region != "us-east-1" else { return }
        body = .encoded(type: .xml) {
            XMLText.document("CreateBucketConfiguration", try XMLText.element("LocationConstraint", region))
        }
    }

    func start() -> Pipeline<Void, any Error> {
        sendRequest().decodeVoid()
    }
}
