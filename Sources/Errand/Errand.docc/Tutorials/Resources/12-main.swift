do throws(BulletinError) {
    let posts = try await PostsRequest(user: 1).start().value
    for post in posts {
        print(post.id, post.title)
    }
    let draft = AddPostRequest.Draft(userId: 1, title: "Fog", body: "No sailings before ten.")
    print("added", try await AddPostRequest(draft).start().value.id)
} catch {
    switch error {
    case .notFound: print("There is no such list.")
    case .unreachable: print("The server cannot be reached. Try again later.")
    case .cancelled: break
    case .unexpected(let text): print(text)
    }
}
