import Errand
import ErrandAuth

/// The object store that `moto` simulates, which checks every signature.
///
/// All tests share one server, which ends after them. Each test has its own bucket.
struct Moto: Sendable {
    /// The URL of the store.
    let endpoint: URL
    /// The key of the only user, who has all permissions.
    let credential: AWSCredential
    private let server: ServerProcess

    static let shared = Task { try await Moto() }

    private init() async throws {
        let (server, port) = try await ServerProcess.onFreePort(.moto, readyWhen: "ready ") { port in
            ["-u", "-c", Self.program, "\(port)"]
        }
        let words = server.readyLine.split(separator: " ").map(String.init)
        credential = AWSCredential(id: words[1], secret: words[2])
        endpoint = try URL.of("http://127.0.0.1:\(port)")
        self.server = server
    }

    /// Creates a bucket that no other test uses.
    static func bucket(requestsAtOnce: Int = 4) async throws -> Bucket {
        let bucket = try await missingBucket(requestsAtOnce: requestsAtOnce)
        try await CreateBucket(bucket).start().value
        return bucket
    }

    /// A bucket that does not exist.
    static func missingBucket(requestsAtOnce: Int = 4) async throws -> Bucket {
        let moto = try await shared.value
        let name = "errand-\(UUID().uuidString.lowercased())"
        var bucket = Bucket(
            name, at: moto.endpoint, in: "eu-central-1", as: moto.credential, requestsAtOnce: requestsAtOnce)
        bucket.session = transport
        return bucket
    }

    private static let transport = CurlTransport.direct()

    /// The user is created while signatures are not checked yet. The server ends with the process that started it.
    private static let program = """
        import json, os, sys, time
        parent = os.getppid()
        os.environ.update(AWS_ACCESS_KEY_ID="nobody", AWS_SECRET_ACCESS_KEY="nothing", AWS_DEFAULT_REGION="eu-central-1",
                          AWS_EC2_METADATA_DISABLED="true", NO_PROXY="127.0.0.1", no_proxy="127.0.0.1")
        import boto3, requests
        from moto.server import ThreadedMotoServer

        url = f"http://127.0.0.1:{sys.argv[1]}"
        server = ThreadedMotoServer(ip_address="127.0.0.1", port=int(sys.argv[1]), verbose=False)
        server.start()
        iam = boto3.client("iam", endpoint_url=url)
        iam.create_user(UserName="errand")
        allowed = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
        iam.put_user_policy(UserName="errand", PolicyName="all", PolicyDocument=json.dumps(allowed))
        key = iam.create_access_key(UserName="errand")["AccessKey"]
        requests.post(url + "/moto-api/reset-auth", data=b"0").raise_for_status()
        print("ready", key["AccessKeyId"], key["SecretAccessKey"], flush=True)
        while os.getppid() == parent:
            time.sleep(0.2)
        """
}
