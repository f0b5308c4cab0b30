import Errand

/// What all requests to an object store share: where it is, who signs, what is sent again, and how it says no.
///
/// ```
/// APIBase
/// └─ ObjectStorageAPI     a bucket or an object in it
///    ├─ PutObject  GetObject  GetObjectIfChanged  StreamObject  DownloadObject  HeadObject  DeleteObject  CopyObject
///    ├─ ListObjects  DeleteObjects  CreateBucket
///    └─ CreateMultipartUpload  UploadPart  CompleteMultipartUpload  AbortMultipartUpload  ListMultipartUploads
/// ```
class ObjectStorageAPI: APIBase {
    /// A request about an object, or about the bucket where there is no key.
    init(_ bucket: Bucket, key: ObjectKey? = nil) {
        super.init()
        baseURL = bucket.endpoint
        path = key.map { "\(bucket.path)\($0.path)" } ?? bucket.path
        headers[.accept] = "application/xml"
        if let session = bucket.session { self.session = session }
        retryPolicy = bucket.retryPolicy
        // The signature last, so that each attempt is signed anew, and only when its turn has come.
        interceptors = [bucket.limit, bucket.signature]
        acceptedStatusCodes = Set(200..<300)
        // A signature is good for one host. A store that redirects says in a document where the bucket is.
        redirectPolicy = .ignore
    }

    override func startRequest() -> Pipeline<DataResponse, any Error> {
        super.startRequest().decodeError(ObjectStorageError.self, decoder: XMLDocumentDecoder(root: "Error"))
    }
}
