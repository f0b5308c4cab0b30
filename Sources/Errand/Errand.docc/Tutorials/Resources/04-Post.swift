struct Post: Codable, Sendable {
    var id: Int
    var userId: Int
    var title: String
    var body: String
}
