let posts = try await PostsRequest(user: 1).start().value
for post in posts {
    print(post.id, post.title)
}
