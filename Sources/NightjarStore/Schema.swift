import GRDB

/// The database's tables, as a list of named migrations.
///
/// The list only grows: a released migration is never changed, removed or renamed, because existing databases have
/// applied it. A new word for a column (a failure's code, a wake's reason) needs a new migration too, even an empty
/// one, so that a version that does not know the word refuses the database.
///
/// All ages and durations are nanoseconds. Enumerations are words. Lists are lines, escaped as ``LineText`` says.
enum Schema {
  /// The migrations' names, oldest first.
  static var names: [String] { migrator.migrations }

  /// Foreign keys are not checked after a migration: a body whose transfer is gone does no harm, and a failed check
  /// would have the whole database set aside as damaged. A migration that moves rows asks for its own checks
  /// (`foreignKeyChecks: .immediate`).
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
    migrator.registerMigration("1-memory") { db in try db.execute(sql: memory) }
    migrator.registerMigration("2-transfer-service") { db in try db.execute(sql: transferService) }
    migrator.registerMigration("3-app-life") { db in try db.execute(sql: appLife) }
    migrator.registerMigration("4-device") { db in try db.execute(sql: device) }
    migrator.registerMigration("5-records") { db in try db.execute(sql: records) }
    migrator.registerMigration("6-notifications") { db in try db.execute(sql: notifications) }
    migrator.registerMigration("7-switcher") { db in try db.execute(sql: switcher) }
    migrator.registerMigration("8-fetches") { db in try db.execute(sql: fetches) }
    migrator.registerMigration("9-calendars") { db in try db.execute(sql: calendars) }
    migrator.registerMigration("10-attachments") { db in try db.execute(sql: attachments) }
    migrator.registerMigration("11-past-notifications") { db in try db.execute(sql: pastNotifications) }
    migrator.registerMigration("12-upload-namers") { db in try db.execute(sql: uploadNamers) }
    migrator.registerMigration("13-session-fields") { _ in }  // A word among a transfer's options.
    migrator.registerMigration("14-named-notifications") { db in try db.execute(sql: namedNotifications) }
    migrator.registerMigration("15-provenances") { db in try db.execute(sql: provenances) }
    return migrator
  }()

  /// Names of migrations that were applied to this database and that this version does not know.
  static func unknownNames(in db: Database) throws -> [String] {
    try migrator.appliedIdentifiers(db).subtracting(names).sorted()
  }

  /// Whether a name can be that of a migration, in this version or a newer one: a number, and words of lowercase
  /// letters and digits, joined by hyphens.
  static func isName(_ name: String) -> Bool { name.wholeMatch(of: /[0-9]+(-[a-z0-9]+)+/) != nil }

  // 1-memory
  private static let memory = """
    CREATE TABLE device (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      boot TEXT NOT NULL,
      boot_offset INTEGER NOT NULL,
      latest INTEGER NOT NULL,
      last_transfer INTEGER NOT NULL,
      last_wake INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE app (
      id TEXT PRIMARY KEY NOT NULL,
      display_name TEXT NOT NULL,
      kind TEXT NOT NULL, -- bundle, program
      path TEXT, -- of a bundle, as is the executable
      executable TEXT,
      relaunch TEXT, -- of a program: its command, a line for each word
      life INTEGER NOT NULL,
      is_background INTEGER NOT NULL,
      failures INTEGER NOT NULL,
      not_before INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE session (
      app TEXT NOT NULL,
      canonical TEXT NOT NULL, -- the identifier in Unicode's canonical form C, by which it is compared
      identifier TEXT NOT NULL,
      sends_launch_events INTEGER NOT NULL,
      next_task INTEGER NOT NULL,
      PRIMARY KEY (app, canonical)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE transfer (
      -- what was asked for; written once
      id INTEGER PRIMARY KEY,
      born INTEGER NOT NULL,
      key_high INTEGER NOT NULL,
      key_low INTEGER NOT NULL,
      app TEXT NOT NULL,
      session TEXT,
      task INTEGER NOT NULL,
      upload_path TEXT, -- with its stamp; null for a download
      upload_size INTEGER,
      upload_modified INTEGER,
      upload_inode INTEGER,
      method TEXT NOT NULL,
      url TEXT NOT NULL,
      headers TEXT NOT NULL, -- a line for each: name: value
      label TEXT NOT NULL,
      destination TEXT,
      overwrites INTEGER NOT NULL,
      priority REAL NOT NULL,
      request_timeout INTEGER NOT NULL,
      resource_timeout INTEGER NOT NULL,
      -- how it stands
      phase TEXT NOT NULL, -- queued, running, stopping, waiting, delivering, undelivered, succeeded, failed
      phase_age INTEGER, -- when a wait ends, or when the transfer ended
      attempts INTEGER NOT NULL,
      failures INTEGER NOT NULL,
      server_errors INTEGER NOT NULL,
      is_suspended INTEGER NOT NULL,
      resume_offset INTEGER, -- with the three that follow; null where nothing can be resumed
      resume_length INTEGER,
      resume_entity_tag TEXT,
      resume_last_modified TEXT,
      failure TEXT,
      failure_detail TEXT,
      response_url TEXT,
      response_status INTEGER,
      response_headers TEXT,
      file_path TEXT,
      file_size INTEGER,
      file_modified INTEGER,
      file_inode INTEGER
    ) STRICT;

    -- The bodies of requests stand apart: SQLite writes a row anew when a part of it changes.
    CREATE TABLE transfer_body (
      id INTEGER PRIMARY KEY REFERENCES transfer (id) ON DELETE CASCADE,
      body BLOB NOT NULL
    ) STRICT;

    CREATE TABLE wake (
      number INTEGER PRIMARY KEY,
      app TEXT NOT NULL,
      reason TEXT NOT NULL, -- transferEnded
      transfer INTEGER,
      session TEXT,
      crashes INTEGER NOT NULL
    ) STRICT;
    """

  // 2-transfer-service
  private static let transferService = """
    ALTER TABLE transfer ADD COLUMN options TEXT; -- a line for each that is not ordinary: name: value
    ALTER TABLE transfer ADD COLUMN asks_before_begin INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE session ADD COLUMN asks_credentials INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE session ADD COLUMN asks_every_certificate INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE session ADD COLUMN asks_delays INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE transfer ADD COLUMN deliveries INTEGER NOT NULL DEFAULT 0; -- attempts at the delivery
    ALTER TABLE app ADD COLUMN paid_until INTEGER; -- up to when its launches are paid for
    ALTER TABLE session ADD COLUMN unopened INTEGER NOT NULL DEFAULT 0; -- launches in a row that did not open it
    -- Where an upload can go on; null where it cannot. The URL is a secret.
    ALTER TABLE transfer ADD COLUMN resume_upload_url TEXT;
    ALTER TABLE transfer ADD COLUMN resume_upload_version INTEGER;
    ALTER TABLE transfer ADD COLUMN resume_upload_append_max INTEGER;

    ALTER TABLE transfer ADD COLUMN resume_heritage INTEGER; -- the transfer in whose staged file the bytes still lie

    -- What cancelled and failed transfers have left. The URL of an upload is a secret.
    CREATE TABLE remnant (
      key TEXT PRIMARY KEY NOT NULL,
      app TEXT NOT NULL,
      url TEXT NOT NULL,
      transfer INTEGER NOT NULL,
      born INTEGER NOT NULL,
      offset INTEGER NOT NULL,
      length INTEGER,
      entity_tag TEXT,
      last_modified TEXT,
      upload_url TEXT, -- of an upload, with what follows
      upload_version INTEGER,
      upload_append_max INTEGER,
      source_size INTEGER,
      source_modified INTEGER,
      source_inode INTEGER
    ) STRICT, WITHOUT ROWID;

    -- Apps that were removed and whose bundles may still lie on the disk.
    CREATE TABLE departure (
      app TEXT PRIMARY KEY NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- What a person has put in the place of the sensors.
    CREATE TABLE simulation (
      name TEXT PRIMARY KEY NOT NULL, -- network, constrained, power
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  // 3-app-life
  private static let appLife = """
    ALTER TABLE app ADD COLUMN exits_on_suspend INTEGER NOT NULL DEFAULT 0;
    """

  // 4-device
  private static let device = """
    -- The table simulation has new names: battery, charging, lowPower, locked.
    -- Of a failure: the network that was there and could not be used: cellular, expensive, constrained.
    ALTER TABLE transfer ADD COLUMN failure_network TEXT;
    """

  // 5-records
  private static let records = """
    -- What has happened to apps.
    CREATE TABLE history (
      app TEXT NOT NULL,
      number INTEGER NOT NULL,
      life INTEGER NOT NULL,
      at INTEGER NOT NULL, -- nanoseconds since 1970 on the wall clock
      kind TEXT NOT NULL,
      sentence TEXT NOT NULL,
      PRIMARY KEY (app, number)
    ) STRICT, WITHOUT ROWID;
    """

  // 6-notifications
  private static let notifications = """
    ALTER TABLE device ADD COLUMN last_notice INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE app ADD COLUMN modes TEXT; -- of a bundle: what it declares to do in the background, a line for each
    ALTER TABLE app ADD COLUMN refreshes INTEGER NOT NULL DEFAULT 1; -- what a person allows it, as are the next three
    ALTER TABLE app ADD COLUMN alerts INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE app ADD COLUMN sounds INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE app ADD COLUMN badges INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE app ADD COLUMN badge INTEGER NOT NULL DEFAULT 0;

    -- What a person allows all apps; a row for each that is not as it was at first.
    CREATE TABLE setting (
      name TEXT PRIMARY KEY NOT NULL, -- backgroundRefresh
      value INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Local notifications that are scheduled, and after when each is due next. Times are of the wall clock.
    CREATE TABLE scheduled_notice (
      key TEXT NOT NULL,
      app TEXT NOT NULL,
      at INTEGER NOT NULL,
      zone TEXT, -- with its offset; null where the moment itself counts
      zone_offset INTEGER,
      interval TEXT, -- second, minute, hour, day, week, month, quarter, year
      calendar TEXT,
      body TEXT,
      action TEXT,
      has_action INTEGER NOT NULL,
      launch_image TEXT,
      sound TEXT,
      badge INTEGER NOT NULL,
      info TEXT,
      since INTEGER,
      PRIMARY KEY (app, key)
    ) STRICT, WITHOUT ROWID;

    -- Those that were fired.
    CREATE TABLE notice (
      number INTEGER PRIMARY KEY,
      key TEXT NOT NULL,
      app TEXT NOT NULL,
      at INTEGER,
      zone TEXT,
      zone_offset INTEGER,
      interval TEXT,
      calendar TEXT,
      body TEXT,
      action TEXT,
      has_action INTEGER NOT NULL,
      launch_image TEXT,
      sound TEXT,
      badge INTEGER NOT NULL,
      info TEXT,
      fired_at INTEGER NOT NULL,
      stage TEXT NOT NULL -- unseen, seen, inForeground, tapped
    ) STRICT;
    """

  // 7-switcher
  private static let switcher = """
    ALTER TABLE app ADD COLUMN is_protected INTEGER NOT NULL DEFAULT 0; -- hidden while the device is locked
    ALTER TABLE app ADD COLUMN used INTEGER; -- its place in the switcher, the highest first; null: not in it
    ALTER TABLE app ADD COLUMN snapshot INTEGER; -- the number of its newest snapshot
    ALTER TABLE app ADD COLUMN is_stale INTEGER NOT NULL DEFAULT 0; -- not to be shown at the next launch
    ALTER TABLE app ADD COLUMN is_removed INTEGER NOT NULL DEFAULT 0; -- from the switcher, by a person
    """

  // 8-fetches
  private static let fetches = """
    ALTER TABLE device ADD COLUMN last_decision INTEGER NOT NULL DEFAULT 0;

    -- What is remembered of refreshing apps. Times named last are of the wall clock, those named at are ages.
    CREATE TABLE fetch (
      app TEXT PRIMARY KEY NOT NULL,
      interval INTEGER, -- null: the app wants no fetches
      open INTEGER, -- the number of the one that is under way
      last_begin INTEGER,
      begun_at INTEGER,
      last_fresh INTEGER,
      fresh_at INTEGER,
      last_outcome TEXT, -- newData, noData, failed, late
      last_duration INTEGER NOT NULL,
      new_data INTEGER NOT NULL,
      no_data INTEGER NOT NULL,
      failed INTEGER NOT NULL,
      late INTEGER NOT NULL,
      failures INTEGER NOT NULL, -- in a row
      not_before INTEGER,
      task_failures INTEGER NOT NULL, -- the same of its processing tasks
      tasks_not_before INTEGER,
      wall INTEGER NOT NULL, -- what all of them have cost, as are the next four
      cpu INTEGER NOT NULL,
      received INTEGER NOT NULL,
      sent INTEGER NOT NULL,
      joules REAL NOT NULL,
      changes REAL NOT NULL, -- of its content, seen in so many hours, weighing so many observations
      hours REAL NOT NULL,
      observations REAL NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- What fetches may cost: of fetches, joules and expensive bytes what comes in a day, what part of that is left, and the
    -- logarithm of the price.
    CREATE TABLE budget (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      fetches_per_day REAL NOT NULL,
      fetches_left REAL NOT NULL,
      fetches_price REAL NOT NULL,
      joules_per_day REAL NOT NULL,
      joules_left REAL NOT NULL,
      joules_price REAL NOT NULL,
      bytes_per_day REAL NOT NULL,
      bytes_left REAL NOT NULL,
      bytes_price REAL NOT NULL,
      days REAL NOT NULL,
      at INTEGER NOT NULL
    ) STRICT;

    -- What was learned of when a person uses which app, in a form of its own.
    CREATE TABLE habit (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      state BLOB NOT NULL
    ) STRICT;

    -- The tasks that apps have asked for and that have not come to their end.
    CREATE TABLE request (
      app TEXT NOT NULL,
      canonical TEXT NOT NULL, -- as a session's
      identifier TEXT NOT NULL,
      kind TEXT NOT NULL, -- refresh, processing
      earliest_begin INTEGER, -- on the wall clock
      needs_network INTEGER NOT NULL,
      needs_power INTEGER NOT NULL,
      errand INTEGER, -- the number under which it was run last
      PRIMARY KEY (app, canonical)
    ) STRICT, WITHOUT ROWID;

    -- What was decided about fetches, and what came of it.
    CREATE TABLE decision (
      number INTEGER PRIMARY KEY,
      app TEXT NOT NULL,
      at INTEGER NOT NULL, -- on the wall clock
      verdict TEXT NOT NULL, -- fetch, joins, asked, waits
      score REAL, -- null where nothing was weighed, as are the next five
      threshold REAL,
      probability REAL,
      age INTEGER,
      updates_per_hour REAL,
      value REAL,
      obstacles TEXT NOT NULL, -- a line for each: its code, and until when where that is known
      opening INTEGER, -- what ran in one go has one number here
      request TEXT,
      outcome TEXT,
      wall INTEGER, -- what it has cost, once that is known, as are the next four
      cpu INTEGER,
      received INTEGER,
      sent INTEGER,
      joules REAL
    ) STRICT;
    """
}
