import Glibc
import Varlink

// Runs org.varlink.certification as a service, or with --client against somebody else's service. The options are those
// of the Python package's `varlink.tests.test_certification`.

let arguments = CommandLine.arguments.dropFirst()
let option = "--varlink="
guard let address = arguments.first(where: { $0.hasPrefix(option) })?.dropFirst(option.count) else {
  print("usage: varlink-certification [--client] --varlink=ADDRESS")
  exit(2)
}
do {
  let place = try VarlinkAddress(String(address))
  if arguments.contains("--client") {
    try await CertificationClient(client: VarlinkClient(to: place)).run()
  } else {
    let information = ServiceInformation(
      vendor: "Nightjar", product: "Varlink certification", version: "1", url: "https://varlink.org")
    let service = try VarlinkService(information, interfaces: [CertificationService().interface()])
    let listener = try VarlinkListener(binding: place)
    print("Listening on \(listener.address)")
    fflush(nil)
    try service.run(on: [listener])
  }
} catch {
  print("varlink-certification: \(error)")
  exit(1)
}
