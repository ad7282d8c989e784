import Testing

/// The tables of a released version, as they were.
struct GoldenSchema: Sendable, CustomTestStringConvertible {
  let name: String
  let tables: String
  var testDescription: String { name }

  static let versions = [
    GoldenSchema(name: "1-memory", tables: memory),
    GoldenSchema(name: "2-transfer-service", tables: transferService),
    GoldenSchema(name: "3-app-life", tables: appLife),
    GoldenSchema(name: "4-device", tables: device),
    GoldenSchema(name: "5-records", tables: records),
    GoldenSchema(name: "6-notifications", tables: notifications),
    GoldenSchema(name: "7-switcher", tables: switcher),
    GoldenSchema(name: "8-fetches", tables: fetches),
    GoldenSchema(name: "9-calendars", tables: calendars),
    GoldenSchema(name: "10-attachments", tables: attachments),
    GoldenSchema(name: "11-past-notifications", tables: pastNotifications),
    GoldenSchema(name: "12-upload-namers", tables: uploadNamers),
    GoldenSchema(name: "13-session-fields", tables: uploadNamers),
    GoldenSchema(name: "14-named-notifications", tables: namedNotifications),
    GoldenSchema(name: "15-provenances", tables: provenances),
  ]

  private static let provenances = namedNotifications.replacing(
    "resume_upload_namer TEXT)", with: "resume_upload_namer TEXT, resume_provenance TEXT)"
  )
  .replacing("INTEGER\n, upload_namer TEXT)", with: "INTEGER\n, upload_namer TEXT, provenance TEXT)")

  private static let namedNotifications =
    uploadNamers
    .replacing("since INTEGER, days TEXT,", with: "since INTEGER, days TEXT, \(nameColumns),")
    .replacing("tapped\n, days TEXT)", with: "tapped\n, days TEXT, \(nameColumns))")
  private static let nameColumns = "title TEXT, identifier TEXT, step INTEGER NOT NULL DEFAULT 1"

  private static let uploadNamers = pastNotifications.replacing(
    "failure_network TEXT)", with: "failure_network TEXT, resume_upload_namer TEXT)"
  )
  .replacing("source_inode INTEGER\n)", with: "source_inode INTEGER\n, upload_namer TEXT)")

  private static let device = appLife.replacing(
    "resume_heritage INTEGER)", with: "resume_heritage INTEGER, failure_network TEXT)")

  private static let appLife = transferService.replacing(
    "paid_until INTEGER)", with: "paid_until INTEGER, exits_on_suspend INTEGER NOT NULL DEFAULT 0)")

  private static let records = device.replacing(
    "CREATE TABLE remnant (",
    with: """
      CREATE TABLE history (
        app TEXT NOT NULL,
        number INTEGER NOT NULL,
        life INTEGER NOT NULL,
        at INTEGER NOT NULL, -- nanoseconds since 1970 on the wall clock
        kind TEXT NOT NULL,
        sentence TEXT NOT NULL,
        PRIMARY KEY (app, number)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE remnant (
      """)

  private static let switcher = notifications.replacing(
    "badge INTEGER NOT NULL DEFAULT 0)",
    with: "badge INTEGER NOT NULL DEFAULT 0, is_protected INTEGER NOT NULL DEFAULT 0, used INTEGER, "
      + "snapshot INTEGER, is_stale INTEGER NOT NULL DEFAULT 0, is_removed INTEGER NOT NULL DEFAULT 0)")

  private static let pastNotifications = attachments.replacing(
    "attached_life INTEGER NOT NULL DEFAULT 0)", with: "attached_life INTEGER NOT NULL DEFAULT 0, past_notices TEXT)")

  private static let attachments = calendars.replacing(
    "is_removed INTEGER NOT NULL DEFAULT 0)",
    with: "is_removed INTEGER NOT NULL DEFAULT 0, attached_life INTEGER NOT NULL DEFAULT 0)")

  private static let calendars = fetches.replacing("since INTEGER,", with: "since INTEGER, days TEXT,")
    .replacing(
      "stage TEXT NOT NULL -- unseen, seen, inForeground, tapped\n)",
      with: "stage TEXT NOT NULL -- unseen, seen, inForeground, tapped\n, days TEXT)")

  private static let fetches = switcher.replacing(
    "last_notice INTEGER NOT NULL DEFAULT 0)",
    with: "last_notice INTEGER NOT NULL DEFAULT 0, last_decision INTEGER NOT NULL DEFAULT 0)"
  )
  .replacing(
    "CREATE TABLE departure (",
    with: """
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
      CREATE TABLE departure (
      """
  )
  .replacing(
    "CREATE TABLE history (",
    with: """
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
      CREATE TABLE habit (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        state BLOB NOT NULL
      ) STRICT;
      CREATE TABLE history (
      """
  )
  .replacing(
    "CREATE TABLE scheduled_notice (",
    with: """
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
      CREATE TABLE scheduled_notice (
      """)

  private static let notifications = records.replacing(
    "exits_on_suspend INTEGER NOT NULL DEFAULT 0)",
    with: """
      exits_on_suspend INTEGER NOT NULL DEFAULT 0, modes TEXT, refreshes INTEGER NOT NULL DEFAULT 1, \
      alerts INTEGER NOT NULL DEFAULT 1, sounds INTEGER NOT NULL DEFAULT 1, badges INTEGER NOT NULL DEFAULT 1, \
      badge INTEGER NOT NULL DEFAULT 0)
      """
  )
  .replacing(
    "last_wake INTEGER NOT NULL\n)", with: "last_wake INTEGER NOT NULL\n, last_notice INTEGER NOT NULL DEFAULT 0)"
  )
  .replacing(
    "CREATE TABLE remnant (",
    with: """
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
      CREATE TABLE remnant (
      """
  )
  .replacing(
    "CREATE TABLE session (",
    with: """
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
      CREATE TABLE session (
      """
  )
  .replacing(
    "CREATE TABLE simulation (",
    with: """
      CREATE TABLE setting (
        name TEXT PRIMARY KEY NOT NULL, -- backgroundRefresh
        value INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE simulation (
      """)

  private static let memory = """
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
    CREATE TABLE device (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      boot TEXT NOT NULL,
      boot_offset INTEGER NOT NULL,
      latest INTEGER NOT NULL,
      last_transfer INTEGER NOT NULL,
      last_wake INTEGER NOT NULL
    ) STRICT;
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
    ) STRICT
    """

  /// SQLite adds a column at the end of the statement that made the table.
  private static let transferService =
    memory.replacing(
      "file_inode INTEGER\n) STRICT",
      with: """
        file_inode INTEGER
        , options TEXT, asks_before_begin INTEGER NOT NULL DEFAULT 0, deliveries INTEGER NOT NULL DEFAULT 0, \
        resume_upload_url TEXT, resume_upload_version INTEGER, resume_upload_append_max INTEGER, \
        resume_heritage INTEGER) STRICT
        """
    )
    .replacing("not_before INTEGER\n)", with: "not_before INTEGER\n, paid_until INTEGER)")
    .replacing(
      "next_task INTEGER NOT NULL,",
      with: """
        next_task INTEGER NOT NULL, asks_credentials INTEGER NOT NULL DEFAULT 0, \
        asks_every_certificate INTEGER NOT NULL DEFAULT 0, asks_delays INTEGER NOT NULL DEFAULT 0, \
        unopened INTEGER NOT NULL DEFAULT 0,
        """
    )
    .replacing(
      "CREATE TABLE session (",
      with: """
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
        CREATE TABLE session (
        """
    )
    .replacing(
      "CREATE TABLE device (",
      with: """
        CREATE TABLE departure (
          app TEXT PRIMARY KEY NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE device (
        """
    )
    .replacing(
      "CREATE TABLE transfer (",
      with: """
        CREATE TABLE simulation (
          name TEXT PRIMARY KEY NOT NULL, -- network, constrained, power
          value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE transfer (
        """)
}
