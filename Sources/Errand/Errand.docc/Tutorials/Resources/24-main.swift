import ErrandOpenAPIRuntime

let service = APIService.notes(NotesAPI.Server("http://127.0.0.1:18617"))
let comments = try await NotesAPI.ListComments(postID: 1).schedule(with: service).value
for comment in comments {
    print(comment.id, comment.name)
}
