/// What an app declares to do in the background: the values of `UIBackgroundModes`.
public enum BackgroundMode: String, CaseIterable, Hashable, Sendable {
  /// Plays or records sound.
  case audio
  /// Follows where the device is.
  case location
  /// Takes calls over the network.
  case voip
  /// Downloads issues of magazines.
  case newsstandContent = "newsstand-content"
  /// Talks to an accessory.
  case externalAccessory = "external-accessory"
  /// Talks to Bluetooth peripherals.
  case bluetoothCentral = "bluetooth-central"
  /// Is a Bluetooth peripheral.
  case bluetoothPeripheral = "bluetooth-peripheral"
  /// Fetches new content now and then.
  case fetch
  /// Does minutes of upkeep while nobody uses the device.
  case processing
  /// Is woken by pushes.
  case remoteNotification = "remote-notification"
}
