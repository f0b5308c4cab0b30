package import ErrandMockServer
package import Foundation

@testable package import Errand

/// The transports that the contract is tested with, each with its own session.
package enum TransportUnderTest: String, CaseIterable, Sendable {
    #if canImport(CCurl)
    case curl
    #endif
    case urlSession

    /// All of them, or the one that `ERRAND_TRANSPORT` names: a different libcurl changes `URLSession` on Linux too.
    package static let allCases: [TransportUnderTest] = {
        #if canImport(CCurl)
        let all = [curl, urlSession]
        #else
        let all = [urlSession]
        #endif
        let name = ProcessInfo.processInfo.environment["ERRAND_TRANSPORT"]
        return all.filter { name == nil || name == $0.rawValue }
    }()

    /// A transport that shares nothing with other tests.
    ///
    /// - Parameters:
    ///   - resourceTimeout: The time limit of a whole transfer in seconds.
    ///   - connectTimeout: The time limit of connecting in seconds, where it can be set.
    package func make(resourceTimeout: TimeInterval? = nil, connectTimeout: TimeInterval? = nil) -> any Transport {
        switch self {
        #if canImport(CCurl)
        case .curl:
            var configuration = CurlConfiguration()
            configuration.proxy = .none
            if let connectTimeout { configuration.connectTimeout = .seconds(connectTimeout) }
            if let resourceTimeout { configuration.resourceTimeout = .seconds(resourceTimeout) }
            return CurlTransport(configuration)
        #endif
        case .urlSession:
            let configuration = URLSessionConfiguration.errand
            if let resourceTimeout { configuration.timeoutIntervalForResource = resourceTimeout }
            return URLSessionTransport(configuration: configuration)
        }
    }
}

extension TransportUnderTest {
    /// Whether a POST may reuse a connection: `false` if the version of libcurl might send it twice.
    package var sharesConnectionsForPosts: Bool {
        switch self {
        #if canImport(CCurl)
        case .curl: !CurlLibrary.current.has(.sendsUnasked)
        #endif
        case .urlSession: true
        }
    }

    /// A request to a server, over a new transport.
    package func probe(_ server: MockServer, _ path: String = "/", method: RequestMethod = .get) -> Probe {
        Probe(server.url, make(), method: method, path: path)
    }
}

extension Error {
    /// The error of a transport, with or without metrics.
    package var urlErrorCode: URLError.Code? { ((self as? TransportFailure)?.error ?? self as? URLError)?.code }
}
