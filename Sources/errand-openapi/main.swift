import ErrandOpenAPI
import Foundation

exit(GeneratorCommand { print($0) }.run(Array(CommandLine.arguments.dropFirst())))
