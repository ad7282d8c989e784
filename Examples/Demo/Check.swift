/// One promise, and whether it was kept in this run.
struct Check {
  let promise: String
  let holds: Bool
  /// What was found, for a person.
  let finding: String

  init(_ promise: String, _ holds: Bool, _ finding: String = "") {
    (self.promise, self.holds, self.finding) = (promise, holds, finding)
  }
}
