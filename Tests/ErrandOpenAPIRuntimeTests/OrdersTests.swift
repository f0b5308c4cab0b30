import ErrandOpenAPIRuntime
import ErrandTesting
import MoneyKit
import Testing

/// What the generated client of `orders.yaml` sends and reads. Its configuration chooses types of formats and schemas.
@Suite struct OrdersTests {
    private let id = "5C0F4CF6-5C4B-4F0B-9C1A-2D6F0A7B3E11"
    private var order: String {
        """
        {"id": "\(id)", "total": {"amount": "12.5", "currency": "EUR"}, "items": ["AB-12", "CD-3"],
        "page": "https://example.com/orders?n=1", "discount": 0.15, "tax": 7.7, "fee": 250, "kind": "AA-1"}
        """
    }

    @Test func `values with custom types are decoded, and encoded to an equal document`() throws {
        let data = Data(order.utf8)
        let decoded = try FastJSONDecoder.openAPI.decode(Order.self, from: data)
        #expect(decoded.id == UUID(uuidString: id))
        #expect(decoded.total == Money(Decimal(12.5), "EUR"))
        #expect(decoded.items == ["AB-12", "CD-3"].compactMap { SKU($0) })
        #expect(decoded.page == URL(string: "https://example.com/orders?n=1"))
        #expect(decoded.discount == Decimal(string: "0.15") && decoded.tax == Decimal(string: "7.7"))
        #expect(decoded.fee == Cents(rawValue: 250) && decoded.kind == .aa1)
        let document = try FastJSONDecoder().decode(JSONValue.self, from: data)
        #expect(try JSONValue(encoding: decoded, encoder: .openAPI) == document)
    }

    @Test(arguments: [("AB-12", "AB"), ("https://example.com/orders?n=1", ""), ("5C0F4CF6-", "5C0F4CF6")])
    func `a value that its type does not accept is not decoded`(_ text: String, _ other: String) {
        let data = Data(order.replacing(text, with: other).utf8)
        #expect(throws: DecodingError.self) { try FastJSONDecoder.openAPI.decode(Order.self, from: data) }
    }

    @Test func `a union has a case for a custom type`() throws {
        func payment(_ json: String) throws -> Payment {
            try FastJSONDecoder.openAPI.decode(Payment.self, from: Data(json.utf8))
        }
        #expect(try payment(#"{"amount": "3", "currency": "CHF"}"#) == .money(Money(3, "CHF")))
        #expect(try payment(#""\#(id)""#) == .uuid(#require(UUID(uuidString: id))))
    }

    @Test func `parameters with custom types are sent as the texts of their JSON`() throws {
        let request = OrdersAPI.GetOrder(
            id: try #require(UUID(uuidString: id)), skus: ["AB-12", "CD-3"].compactMap { SKU($0) },
            price: Money(Decimal(12.5), "EUR"), referrer: URL(string: "https://example.com/a b"),
            xLimit: Cents(rawValue: 250))
        let sent = try request.buildURLRequest()
        #expect(
            sent.url?.absoluteString
                == "https://orders.example.com/orders/\(id)?skus=AB-12,CD-3&amount=12.5&currency=EUR"
                + "&referrer=https%3A%2F%2Fexample.com%2Fa%2520b")
        #expect(sent.value(forHTTPHeaderField: "X-Limit") == "250")
    }

    @Test func `a path and a form can have custom types`() throws {
        let sku = try #require(SKU("AB-12"))
        let request = OrdersAPI.AddProduct(sku: sku, replaces: [sku, sku], price: Money(3, "CHF"))
        let sent = try request.buildURLRequest()
        let body = String(decoding: sent.httpBody ?? Data(), as: UTF8.self)
        #expect(sent.url?.path() == "/products/AB-12")
        #expect(body.components(separatedBy: "name=\"replaces\"\r\n\r\nAB-12\r\n").count == 3)
        #expect(body.contains(#"{"amount":"3","currency":"CHF"}"#))
    }

    @Test func `header fields and error documents have custom types`() async throws {
        let response = DataResponse(statusCode: 200, headers: ["X-Paid": "250", "X-Trace": id])
        let fields = OrdersAPI.GetOrder.ResponseFields(response)
        #expect(fields.xPaid == Cents(rawValue: 250) && fields.xTrace == UUID(uuidString: id))
        let request = OrdersAPI.GetOrder(id: try #require(UUID(uuidString: id)))
        let missing = Data(#"{"amount": "3", "currency": "CHF"}"#.utf8)
        request.dataTaskPipeline = request.stubJSONResponse(statusCode: 402, data: missing)
        let error = await #expect(throws: ErrandError.self) { try await request.start().value }
        #expect(error?.payload(as: Money.self) == Money(3, "CHF"))
    }
}
