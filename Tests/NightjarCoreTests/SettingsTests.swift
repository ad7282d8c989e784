import NightjarModel
import Testing

@testable import NightjarCore

@Suite struct `A person's settings` {
  @Test func `are told a running app, and a suspended one when it runs again`() {
    var (bench, client) = Bench.withRunningApp()

    bench.order(.changeSettings(nil, SettingsChange(refreshes: false)))
    let told = bench.deeds.messages
    bench.suspend(client)
    bench.order(.changeSettings(nil, SettingsChange(refreshes: true)))
    let untold = bench.deeds.messages
    bench.order(.launch(farm, arguments: []))
    let again = bench.deeds.messages

    #expect(told == [.standing(Standing(settings: AppSettings().changed(by: .init(refreshes: false)), badge: 0))])
    #expect(untold == [])
    #expect(again == [.standing(Standing(settings: AppSettings(), badge: 0)), .enterForeground])
  }

  @Test func `come with the device's power, of which a running app hears, and of nothing else that is sensed`() {
    var (bench, _) = Bench.withRunningApp()
    var power = Conditions(power: .battery, battery: 42)

    let changed = bench.send(.sensed(power)).messages
    power.network = .metered
    let elsewhere = bench.send(.sensed(power)).messages
    bench.order(.simulate(SimulatedConditions(isLowPower: true)))
    let simulated = bench.deeds.messages

    var low = power
    low.isLowPower = true
    #expect(changed == [.standing(Standing(settings: AppSettings(), badge: 0, power: PowerView(power)))])
    #expect(elsewhere == [])
    #expect(simulated == [.standing(Standing(settings: AppSettings(), badge: 0, power: PowerView(low)))])
  }

  @Test func `come with the lock, of which a running app hears`() {
    var (bench, _) = Bench.withRunningApp()

    let locked = bench.send(.sensed(Conditions(isLocked: true))).messages
    let unlocked = bench.send(.sensed(Conditions(isLocked: false))).messages

    #expect(locked == [.standing(Standing(settings: AppSettings(), badge: 0, isLocked: true))])
    #expect(unlocked == [.standing(Standing(settings: AppSettings(), badge: 0, isLocked: false))])
  }

  @Test func `say that a device is unlocked only when somebody knows`() {
    var (bench, _) = Bench.withRunningApp()

    let known = bench.send(.sensed(Conditions(isLocked: false))).messages
    let lost = bench.send(.sensed(Conditions())).messages

    #expect(known == [.standing(Standing(settings: AppSettings(), badge: 0, isLocked: false))])
    #expect(lost == [.standing(Standing(settings: AppSettings(), badge: 0, isLocked: nil))])
  }

  @Test func `end a lock that was simulated with its simulation, though nobody senses any`() {
    var (bench, _) = Bench.withRunningApp()

    bench.order(.simulate(SimulatedConditions(isLocked: true)))
    let pretended = bench.deeds.messages
    bench.order(.endSimulation)
    let ended = bench.deeds.messages

    #expect(pretended == [.standing(Standing(settings: AppSettings(), badge: 0, isLocked: true))])
    #expect(ended == [.standing(Standing(settings: AppSettings(), badge: 0, isLocked: false))])
  }

  @Test func `end a simulated lock also for an app that runs again only after something else was sensed`() {
    var (bench, _) = Bench.withRunningApp()
    bench.order(.simulate(SimulatedConditions(isLocked: true)))
    bench.order(.endSimulation)

    bench.send(.sensed(Conditions(battery: 42)))
    #expect(bench.supervisor.device.conditions.lock == false)

    bench.send(.sensed(Conditions(isLocked: true)))
    bench.send(.sensed(Conditions(battery: 41)))
    #expect(bench.supervisor.device.conditions.lock == nil, "somebody had sensed one, and says no more")
  }

  @Test func `are kept over a restart, for all and for each`() {
    var bench = Bench.withApp()
    bench.order(.changeSettings(nil, SettingsChange(refreshes: false, sounds: false)))
    bench.order(.changeSettings(farm, SettingsChange(refreshes: true, alerts: false)))

    bench.restart()

    let settings = AppSettings().changed(by: SettingsChange(alerts: false, sounds: false))
    #expect(
      bench.order(.showSettings)
        == .settings(SettingsView(refreshes: false, isRestricted: false, apps: [.init(app: farm, settings: settings)])))
    #expect(bench.view(farm)?.refreshes == false)
    #expect(bench.order(.changeSettings(other, SettingsChange())) == .refused(.noSuchApp(other)))
  }
}
