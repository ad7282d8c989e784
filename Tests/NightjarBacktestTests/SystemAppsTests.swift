import Testing

@testable import NightjarBacktest

@Suite struct `What counts as no app in a trace` {
  @Test(arguments: [
    "sys07", "Pixel Launcher", "TouchWiz home", "One UI Home", "Samsung Experience Home", "Xperia Home", "Logger",
    "Usage Logger", "org.example.logger", "Android System",
  ])
  func `is what stands in the foreground between apps`(name: String) {
    #expect(SystemApps.contains(name))
  }

  @Test(arguments: ["app07", "system", "Google Home", "Alexa Home", "Blogger", "Home Depot"])
  func `is no app whose name only ends alike`(name: String) {
    #expect(!SystemApps.contains(name))
  }
}
