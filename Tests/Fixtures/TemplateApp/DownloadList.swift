import Foundation
import Nightjar

/// What the app shows on the home screen (`nightjar home`), drawn from its state whenever that has changed.
final class DownloadList: HTMLViewController {
  var downloads: Downloads?

  override func html() -> HTML {
    """
    <h1>Downloads</h1>
    <form data-action='download'><input name='address' type='url' placeholder='https://'><button>Download</button></form>
    <ul>\((downloads?.names ?? []).map { "<li>\($0)</li>" as HTML })</ul>
    """
  }

  /// A person has sent the form off.
  override func perform(_ action: String, fields: [String: String]) {
    if action == "download", let address = fields["address"] { downloads?.begin(address) }
  }
}
