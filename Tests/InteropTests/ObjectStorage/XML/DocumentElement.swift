import Errand
import TestSupport

#if canImport(FoundationXML)
import FoundationXML
#endif

/// An element of an XML document: its name, its text, and its child elements. Attributes are omitted.
struct DocumentElement: Sendable {
    let name: String
    fileprivate(set) var text = ""
    fileprivate(set) var children: [DocumentElement] = []

    fileprivate init(name: String) {
        self.name = name
    }

    /// The root of a document. External entities are not looked up.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for an invalid document, or one whose elements are nested too deeply.
    init(document: Data) throws {
        let reading = DocumentReading()
        let parser = XMLParser(data: document)
        parser.delegate = reading
        guard parser.parse(), let root = reading.root else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "the document is not XML"))
        }
        self = root
    }
}

/// Assembles the elements that the parser reports.
private final class DocumentReading: NSObject, XMLParserDelegate {
    /// The documents of a store are far below this depth.
    private static let depthLimit = 32

    private(set) var root: DocumentElement?
    /// The elements that have begun, the innermost last.
    private var open: [DocumentElement] = []

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        guard open.count < Self.depthLimit else { return parser.abortParsing() }
        open.append(DocumentElement(name: name))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        guard let innermost = open.indices.last else { return }
        open[innermost].text += text
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        self.parser(parser, foundCharacters: String(decoding: block, as: UTF8.self))
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        guard let element = open.popLast() else { return }
        if let parent = open.indices.last { open[parent].children.append(element) } else { root = element }
    }
}
