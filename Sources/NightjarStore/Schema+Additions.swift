/// The migrations that only add columns, whose texts are short.
extension Schema {
  // 9-calendars
  static let calendars = """
    -- The days of the repetitions, a line for each, where a calendar other than the Gregorian counts them.
    ALTER TABLE scheduled_notice ADD COLUMN days TEXT;
    ALTER TABLE notice ADD COLUMN days TEXT;
    """

  // 10-attachments
  static let attachments = """
    ALTER TABLE app ADD COLUMN attached_life INTEGER NOT NULL DEFAULT 0; -- the latest in which it attached; 0: none
    """

  // 11-past-notifications
  static let pastNotifications = """
    ALTER TABLE app ADD COLUMN past_notices TEXT; -- keys of notifications that were seen to, a line for each
    """

  // 12-upload-namers
  static let uploadNamers = """
    -- The origin that has named an upload's URL; null where nobody answers for it.
    ALTER TABLE transfer ADD COLUMN resume_upload_namer TEXT;
    ALTER TABLE remnant ADD COLUMN upload_namer TEXT;
    """

  // 14-named-notifications
  static let namedNotifications = """
    ALTER TABLE scheduled_notice ADD COLUMN title TEXT;
    ALTER TABLE scheduled_notice ADD COLUMN identifier TEXT; -- the app's own name for it
    ALTER TABLE scheduled_notice ADD COLUMN step INTEGER NOT NULL DEFAULT 1; -- intervals between repetitions
    ALTER TABLE notice ADD COLUMN title TEXT;
    ALTER TABLE notice ADD COLUMN identifier TEXT;
    ALTER TABLE notice ADD COLUMN step INTEGER NOT NULL DEFAULT 1;
    """

  // 15-provenances
  static let provenances = """
    -- The host and path that a download's bytes have come from; null where that is unknown.
    ALTER TABLE transfer ADD COLUMN resume_provenance TEXT;
    ALTER TABLE remnant ADD COLUMN provenance TEXT;
    """
}
