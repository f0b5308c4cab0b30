import Errand
import TestSupport
import Testing

@Suite(.interop(.moto), .hangGuard) struct `Object storage: lists` {
    @Test func `a list of 1,200 objects is loaded page by page, and all are deleted`() async throws {
        let bucket = try await Moto.bucket(requestsAtOnce: 8)
        let keys = (0..<1_200).map { String($0 + 10_000) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for index in stride(from: worker, to: keys.count, by: 8) {
                        _ = try await PutObject(ObjectKey(keys[index]), .text("x"), in: bucket).start().value
                    }
                }
            }
            try await group.waitForAll()
        }
        var pages: [[ListedObject]] = []
        for try await page in bucket.objects(pageSize: 500) { pages.append(page.objects) }
        #expect(pages.map(\.count) == [500, 500, 200])
        let objects = Array(pages.joined())
        #expect(objects.map(\.key) == keys)
        #expect(objects.allSatisfy { $0.byteCount == 1 && $0.etag != nil && $0.lastModified != nil })
        for batch in [keys.prefix(1_000), keys.dropFirst(1_000)] {
            let report = try await DeleteObjects(batch.map { ObjectKey($0) }, in: bucket).start().value
            #expect(report.failures.isEmpty)
            #expect(Set(report.deletions.map(\.key)) == Set(batch))
        }
        for try await object in bucket.objects().items { Issue.record("\(object.key) is still there") }
    }

    @Test func `a list shows folders and filters by prefix`() async throws {
        let bucket = try await Moto.bucket()
        for key: ObjectKey in ["a/1", "a/2", "a b/1", "c"] {
            _ = try await PutObject(key, .text("x"), in: bucket).start().value
        }
        var objects: [String] = []
        var folders: [String] = []
        for try await page in bucket.objects(delimiter: "/") {
            objects += page.objects.map(\.key)
            folders += page.folders.map(\.prefix)
        }
        #expect(objects == ["c"])
        #expect(folders.sorted() == ["a b/", "a/"])
        var found: [String] = []
        for try await object in bucket.objects(withPrefix: "a ").items { found.append(object.key) }
        #expect(found == ["a b/1"])
    }
}
