import ErrandJSON
import Testing

struct `FastJSONDecoder beside Foundation's` {
    @Test(arguments: 0..<6)
    func `random documents decode to the same values and errors as with Foundation`(_ seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 0..<40 {
            let document = random.document()
            try compare(Data(document.utf8), as: Sample.self)
            try compare(Data(document.utf8), as: [Sample].self)
            try compare(Data(document.utf8), as: [String: JSONPart].self)
        }
    }

    @Test(arguments: 100..<106)
    func `damaged documents are accepted or rejected as by Foundation`(_ seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 0..<40 {
            let document = Data(random.mutated(random.document()))
            try compare(document, as: Sample.self)
            try compare(document, as: JSONPart.self)
        }
    }

    @Test(arguments: 200..<204)
    func `random values are encoded to the same JSON as by Foundation`(_ seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        let formats: [JSONEncoder.OutputFormatting] = [
            [.sortedKeys], [.sortedKeys, .prettyPrinted], [.sortedKeys, .withoutEscapingSlashes],
        ]
        for _ in 0..<40 {
            guard let sample = try? JSONDecoder().decode(Sample.self, from: Data(random.object(depth: 2).utf8)) else {
                continue
            }
            for format in formats {
                let foundation = JSONEncoder()
                foundation.outputFormatting = format
                var errand = FastJSONEncoder()
                errand.outputFormatting = format
                let expected = String(decoding: try foundation.encode(sample), as: UTF8.self)
                let found = String(decoding: try errand.encode(sample), as: UTF8.self)
                #expect(found == expected)
            }
        }
    }

    private func compare<Value: Decodable & Equatable>(_ document: Data, as type: Value.Type) throws {
        let comparison = JSONComparison(document, as: type)
        #expect(comparison.isExplained, "\(comparison)")
    }
}
