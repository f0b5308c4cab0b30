import Errand

/// The base class of all requests to an object store: the endpoint, the signature, the retries, and the errors.
///
/// ```
/// APIBase
/// └─ ObjectStorageAPI     a bucket or an object in it
///    ├─ PutObject  GetObject  GetObjectIfChanged  StreamObject  DownloadObject  HeadObject  DeleteObject  CopyObject
///    ├─ ListObjects  DeleteObjects  CreateBucket
///    └─ CreateMultipartUpload  UploadPart  CompleteMultipartUpload  AbortMultipartUpload  ListMultipartUploads
/// ```
class ObjectStorageAPI: APIBase {
    init(_ bucket: Bucket, key: ObjectKey? = nil) {
        super.init()
        baseURL = bucket.endpoint
        path = key.map { "\(bucket.path)\($0.path)" } ?? bucket.path
        headers[.accept] = "application/xml"
        session = bucket.session
        retryPolicy = bucket.retryPolicy
        // The signature is last, so that each attempt is signed again when it is sent.
        interceptors = [bucket.limit, bucket.signature]
        acceptedStatusCodes = .successful
        // A signature is valid for one host. A store that redirects names the bucket's host in a document.
        redirectPolicy = .ignore
    }

    override func startRequest() -> Pipeline<DataResponse, any Error> {
        super.startRequest().decodeError(ObjectStorageError.self, decoder: XMLDocumentDecoder(root: "Error"))
    }
}
