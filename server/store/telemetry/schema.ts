import { shiftTables } from './shiftsTable.ts';
import { escalationTables } from './escalationsTable.ts';
import {
  incidentIndexes,
  incidentRuleOwners,
  incidentSnapshots,
  snapshotVehicles,
  incidentsSchema,
} from './incidentsSchema.ts';

/** A step of SQL that runs in one transaction; `copy`: the database is copied before it. */
export interface Migration {
  sql: string;
  copy: boolean;
}

const released = [
  `
  CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Positions name their vehicle by a small number: 36 bytes less in each row and in each step of its tree.
  -- AUTOINCREMENT, because the number of a purged vehicle must not come back while its positions still lie there.
  CREATE TABLE vehicle_ids (
    vehicle INTEGER PRIMARY KEY AUTOINCREMENT,
    vehicle_id TEXT NOT NULL UNIQUE
  ) STRICT;

  CREATE TABLE purged_vehicles (
    vehicle INTEGER PRIMARY KEY
  ) STRICT;

  -- No index by received_ms: see prune.ts.
  CREATE TABLE positions (
    vehicle INTEGER NOT NULL,
    time_ms INTEGER NOT NULL,
    received_ms INTEGER NOT NULL,
    lat REAL NOT NULL,
    lon REAL NOT NULL,
    altitude_m REAL,
    speed_kmh REAL,
    course_deg REAL,
    accuracy_m REAL,
    satellites INTEGER,
    hdop REAL,
    valid INTEGER NOT NULL,
    ignition INTEGER,
    odometer_m REAL,
    battery_pct REAL,
    alarms TEXT,
    attributes TEXT,
    PRIMARY KEY (vehicle, time_ms)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE vehicle_states (
    vehicle_id TEXT PRIMARY KEY,
    state TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE refused (
    refused_id INTEGER PRIMARY KEY AUTOINCREMENT,
    terminal_id TEXT NOT NULL,
    received_ms INTEGER NOT NULL,
    code TEXT NOT NULL,
    detail TEXT NOT NULL,
    protocol TEXT NOT NULL,
    raw TEXT NOT NULL
  ) STRICT;

  CREATE TABLE unknown_terminals (
    terminal_id TEXT PRIMARY KEY,
    protocol TEXT NOT NULL,
    first_ms INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    messages INTEGER NOT NULL,
    address TEXT,
    lat REAL,
    lon REAL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX unknown_terminals_by_last ON unknown_terminals (last_ms);

  CREATE TABLE events (
    event_id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    vehicle_id TEXT NOT NULL,
    time_ms INTEGER NOT NULL,
    received_ms INTEGER NOT NULL,
    late INTEGER NOT NULL,
    lat REAL,
    lon REAL,
    geozone_id TEXT,
    "values" TEXT NOT NULL,
    rule_id TEXT,
    rule_version INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX events_by_time ON events (time_ms, event_id, vehicle_id, kind);
  CREATE INDEX events_by_vehicle ON events (vehicle_id, time_ms, event_id, kind);
  CREATE INDEX events_by_receipt ON events (received_ms);

  CREATE TABLE notifications (
    notification_id TEXT PRIMARY KEY,
    rule_id TEXT NOT NULL,
    rule_name TEXT NOT NULL,
    rule_version INTEGER NOT NULL,
    event_kind TEXT NOT NULL,
    vehicle_id TEXT NOT NULL,
    geozone_id TEXT,
    severity TEXT NOT NULL,
    state TEXT NOT NULL,
    count INTEGER NOT NULL,
    late INTEGER NOT NULL,
    first_ms INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    ongoing_until_ms INTEGER,
    "values" TEXT NOT NULL,
    lat REAL,
    lon REAL,
    event_ids TEXT NOT NULL,
    ack TEXT,
    updated_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX notifications_by_last ON notifications (last_ms, notification_id, vehicle_id, severity);
  CREATE INDEX notifications_by_state ON notifications (state, last_ms, notification_id, vehicle_id, severity);
  CREATE INDEX notifications_by_vehicle ON notifications (vehicle_id, last_ms, notification_id, state, severity);
  CREATE INDEX notifications_by_update ON notifications (updated_ms);

  CREATE TABLE tasks (
    task_id TEXT PRIMARY KEY,
    profile_id TEXT NOT NULL,
    vehicle_id TEXT NOT NULL,
    terminal_id TEXT NOT NULL,
    channel INTEGER NOT NULL,
    from_ms INTEGER NOT NULL,
    to_ms INTEGER NOT NULL,
    event_id TEXT,
    status TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_try_ms INTEGER,
    error TEXT,
    file TEXT,
    file_name TEXT,
    created_by TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL,
    done_ms INTEGER,
    expires_ms INTEGER,
    version INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tasks_by_creation ON tasks (created_ms, task_id, vehicle_id, status, from_ms, to_ms);
  CREATE INDEX tasks_by_vehicle ON tasks (vehicle_id, created_ms, task_id, status, from_ms, to_ms);
  CREATE INDEX tasks_by_status ON tasks (status, created_ms, task_id, vehicle_id, from_ms, to_ms);

  CREATE TABLE sessions (
    session_id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    last_seen_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    address TEXT,
    agent TEXT
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE idempotency (
    user_id TEXT NOT NULL,
    operation TEXT NOT NULL,
    key TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    status INTEGER NOT NULL,
    reply TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (user_id, operation, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idempotency_by_time ON idempotency (at_ms);

  CREATE TABLE changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    topic TEXT NOT NULL,
    resource_id TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    seen_by TEXT
  ) STRICT;
  `,
  `
  CREATE TABLE rule_versions (
    rule_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    rule TEXT NOT NULL,
    PRIMARY KEY (rule_id, version)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE snoozes (
    snooze_id TEXT PRIMARY KEY,
    vehicle_id TEXT,
    rule_id TEXT,
    until_ms INTEGER NOT NULL,
    note TEXT,
    created_by TEXT NOT NULL,
    created_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE deliveries (
    delivery_id TEXT PRIMARY KEY,
    notification_id TEXT NOT NULL,
    rule_id TEXT NOT NULL,
    vehicle_id TEXT NOT NULL,
    channel TEXT NOT NULL,
    target TEXT NOT NULL,
    status TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_try_ms INTEGER,
    last_error TEXT,
    created_ms INTEGER NOT NULL,
    sent_ms INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX deliveries_waiting ON deliveries (created_ms) WHERE status = 'waiting';
  CREATE INDEX deliveries_by_notification ON deliveries (notification_id);
  CREATE INDEX deliveries_by_vehicle ON deliveries (vehicle_id);
  CREATE INDEX deliveries_by_creation ON deliveries (created_ms);
  `,
  `
  ALTER TABLE tasks ADD COLUMN important INTEGER NOT NULL DEFAULT 0;

  CREATE TABLE video_access (
    access_id INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    action TEXT NOT NULL,
    at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX video_access_by_task ON video_access (task_id, at_ms);
  `,
  `
  ALTER TABLE tasks ADD COLUMN stream TEXT;
  ALTER TABLE tasks ADD COLUMN full_task_id TEXT;
  ALTER TABLE tasks ADD COLUMN rule_id TEXT;
  CREATE INDEX tasks_by_event ON tasks (event_id, created_ms, task_id, vehicle_id, status, from_ms, to_ms)
    WHERE event_id IS NOT NULL;
  `,
  `
  -- By a number as its rowid, a state of two kilobytes stands within its page; in a tree by text it took a page of its
  -- own beside it. It is written with each fix of the vehicle.
  ALTER TABLE vehicle_states RENAME TO vehicle_states_by_text;
  CREATE TABLE vehicle_states (
    vehicle INTEGER PRIMARY KEY,
    state TEXT NOT NULL
  ) STRICT;
  INSERT OR IGNORE INTO vehicle_ids (vehicle_id) SELECT vehicle_id FROM vehicle_states_by_text;
  INSERT INTO vehicle_states (vehicle, state)
    SELECT vehicle, state FROM vehicle_states_by_text JOIN vehicle_ids USING (vehicle_id);
  DROP TABLE vehicle_states_by_text;
  `,
  `
  CREATE TABLE terminal_commands (
    command_id TEXT PRIMARY KEY,
    vehicle_id TEXT NOT NULL,
    terminal_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT,
    status TEXT NOT NULL,
    protocol TEXT,
    answer TEXT,
    error TEXT,
    created_by TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    sent_ms INTEGER,
    ended_ms INTEGER,
    expires_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX terminal_commands_by_vehicle ON terminal_commands (vehicle_id, created_ms, command_id);
  -- Begins with those that have no end yet, in the order in which they were given.
  CREATE INDEX terminal_commands_by_end ON terminal_commands (ended_ms, created_ms, command_id);
  `,
];

const unifiedStore = `
  -- Names alone: no row is written, but for commands, of which there are few.
  ALTER TABLE refused RENAME TO rejected_positions;
  ALTER TABLE rejected_positions RENAME COLUMN refused_id TO rejected_id;
  ALTER TABLE tasks RENAME TO video_tasks;
  ALTER TABLE video_tasks RENAME COLUMN next_try_ms TO next_attempt_ms;
  ALTER TABLE video_tasks RENAME COLUMN full_task_id TO main_task_id;
  ALTER TABLE deliveries RENAME COLUMN next_try_ms TO next_attempt_ms;
  ALTER TABLE vehicle_ids RENAME COLUMN vehicle TO vehicle_key;
  ALTER TABLE purged_vehicles RENAME COLUMN vehicle TO vehicle_key;
  ALTER TABLE positions RENAME COLUMN vehicle TO vehicle_key;
  ALTER TABLE vehicle_states RENAME COLUMN vehicle TO vehicle_key;
  ALTER TABLE events RENAME COLUMN "values" TO details;
  ALTER TABLE notifications RENAME COLUMN "values" TO details;
  ALTER TABLE unknown_terminals RENAME COLUMN first_ms TO first_seen_ms;
  ALTER TABLE unknown_terminals RENAME COLUMN last_ms TO last_seen_ms;
  ALTER TABLE unknown_terminals RENAME COLUMN messages TO message_count;
  ALTER TABLE sessions RENAME COLUMN agent TO user_agent;
  ALTER TABLE sessions RENAME COLUMN address TO ip_address;
  ALTER TABLE terminal_commands RENAME COLUMN answer TO response;
  ALTER TABLE terminal_commands RENAME COLUMN ended_ms TO completed_ms;
  UPDATE terminal_commands SET status = 'responded' WHERE status = 'answered';
  UPDATE terminal_commands SET error = json_set(error, '$.code', 'no_response')
    WHERE error ->> '$.code' = 'no_answer';

  ALTER TABLE changes RENAME TO change_log;
  ALTER TABLE change_log RENAME COLUMN seen_by TO visible_to;
  -- Of the resource after the change; NULL: it is deleted, or has none.
  ALTER TABLE change_log ADD COLUMN version INTEGER;
  -- A user_id, or what else acted from outside; NULL: the host itself.
  ALTER TABLE change_log ADD COLUMN actor TEXT;
  -- Its login at that time.
  ALTER TABLE change_log ADD COLUMN actor_name TEXT;
  ALTER TABLE change_log ADD COLUMN address TEXT;
  -- The fields that changed; all of them where it is deleted (before) or added (after).
  ALTER TABLE change_log ADD COLUMN before TEXT;
  ALTER TABLE change_log ADD COLUMN after TEXT;
  -- Of which vehicle before and after say something.
  ALTER TABLE change_log ADD COLUMN vehicle_id TEXT;
  CREATE INDEX change_log_of_vehicle ON change_log (vehicle_id, seq) WHERE vehicle_id IS NOT NULL;
  -- Of the changes up to this number some are no longer there.
  INSERT INTO meta (name, value) SELECT 'change_log_floor', coalesce(
    (SELECT min(seq) - 1 FROM change_log), (SELECT seq FROM sqlite_sequence WHERE name = 'change_log'), 0);

  -- A day's keys. Their hashes had no key, so that a password in a body could be guessed from one: they are overwritten.
  PRAGMA secure_delete = ON;
  DROP TABLE idempotency;
  PRAGMA secure_delete = OFF;
  CREATE TABLE idempotency_keys (
    user_id TEXT NOT NULL,
    operation TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    response TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (user_id, operation, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idempotency_keys_by_time ON idempotency_keys (at_ms);

  CREATE INDEX notifications_open_by_rule ON notifications (rule_id, last_ms) WHERE state = 'open';

  -- What people administer. A record stands as JSON in one column, because records gain fields; beside it stands what
  -- SQL has to guard or find. The group_ids of users and vehicles are in memberships alone.
  CREATE TABLE users (
    user_id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    login_key TEXT NOT NULL UNIQUE,
    active_dealer INTEGER NOT NULL,
    record TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE groups (
    group_id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    name_key TEXT NOT NULL UNIQUE,
    record TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- An archived vehicle has no terminal_key: its terminal may serve another one.
  CREATE TABLE vehicles (
    vehicle_id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    terminal_key TEXT,
    record TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX vehicles_by_terminal ON vehicles (terminal_key) WHERE terminal_key IS NOT NULL;
  -- With a rowid, because a record may have a megabyte.
  CREATE TABLE geofences (
    geozone_id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE TABLE rules (
    rule_id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE TABLE profiles (
    profile_id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    vehicle_id TEXT NOT NULL UNIQUE,
    record TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE recipients (
    recipient_id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    place_key TEXT NOT NULL UNIQUE,
    record TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Without to_ms it holds now. Rows are closed and kept, so that the history is the table.
  CREATE TABLE memberships (
    member_kind TEXT NOT NULL,
    member_id TEXT NOT NULL,
    group_id TEXT NOT NULL,
    from_ms INTEGER NOT NULL,
    to_ms INTEGER,
    place INTEGER NOT NULL,
    PRIMARY KEY (member_kind, member_id, group_id, from_ms)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX memberships_now ON memberships (group_id, member_kind) WHERE to_ms IS NULL;
  CREATE INDEX memberships_ended ON memberships (to_ms) WHERE to_ms IS NOT NULL;
  -- A version without a record is the deletion. With rowids, so that a new version goes to the end, and not between
  -- full pages of old ones.
  CREATE TABLE vehicle_versions (
    vehicle_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    from_ms INTEGER NOT NULL,
    record TEXT,
    PRIMARY KEY (vehicle_id, version)
  ) STRICT;
  CREATE TABLE geofence_versions (
    geozone_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    from_ms INTEGER NOT NULL,
    record TEXT,
    PRIMARY KEY (geozone_id, version)
  ) STRICT;
  CREATE TABLE entity_references (
    from_kind TEXT NOT NULL,
    from_id TEXT NOT NULL,
    to_kind TEXT NOT NULL,
    to_id TEXT NOT NULL,
    PRIMARY KEY (to_kind, to_id, from_kind, from_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX entity_references_from ON entity_references (from_kind, from_id);

  CREATE TABLE document_intents (
    document TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    sealed BLOB NOT NULL,
    at_ms INTEGER NOT NULL
  ) STRICT;
`;

const apiTokens = `
  CREATE TABLE api_tokens (
    token_id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    record TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE api_token_uses (
    token_id TEXT PRIMARY KEY,
    calls INTEGER NOT NULL,
    last_used_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- The API token with which the actor acted, and its name at that time.
  ALTER TABLE change_log ADD COLUMN actor_token TEXT;
  ALTER TABLE change_log ADD COLUMN actor_token_name TEXT;
`;

const auditLog = `
  -- What an actor did, worked out of the row. Of a deleted vehicle the values are gone, so that its version counts.
  ALTER TABLE change_log ADD COLUMN action TEXT GENERATED ALWAYS AS (CASE
    WHEN topic = 'export' THEN 'exported'
    WHEN before IS NULL AND (after IS NOT NULL OR version = 1) THEN 'created'
    WHEN before IS NOT NULL AND after IS NULL AND version IS NULL THEN 'deleted'
    ELSE 'changed'
  END) VIRTUAL;
  CREATE INDEX change_log_audit ON change_log (at_ms, seq, topic, actor, resource_id, action)
    WHERE actor IS NOT NULL;
`;

const drivers = `
  CREATE TABLE drivers (
    driver_id TEXT PRIMARY KEY,
    external_key TEXT UNIQUE,
    version INTEGER NOT NULL,
    record TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE assignments (
    assignment_id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    record TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

const cardReads = `
  -- The cards that a vehicle's messages named: of each card and slot of 300 s the first and the last time.
  CREATE TABLE card_reads (
    vehicle_key INTEGER NOT NULL,
    slot INTEGER NOT NULL,
    card TEXT NOT NULL,
    first_ms INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    PRIMARY KEY (vehicle_key, slot, card)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX card_reads_by_card ON card_reads (card, slot);
  CREATE INDEX card_reads_by_slot ON card_reads (slot);
`;

const dayRecords = `
  -- What reports have worked out of a vehicle's positions, of each day, by one set of thresholds: it can always be worked
  -- out again.
  CREATE TABLE day_record_sets (
    set_key INTEGER PRIMARY KEY,
    vehicle_key INTEGER NOT NULL,
    thresholds TEXT NOT NULL,
    used_ms INTEGER NOT NULL,
    days INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    UNIQUE (vehicle_key, thresholds)
  ) STRICT;
  -- A position from need_from_ms to need_to_ms, if one came, would change it.
  CREATE TABLE day_records (
    set_key INTEGER NOT NULL,
    from_ms INTEGER NOT NULL,
    to_ms INTEGER NOT NULL,
    vehicle_key INTEGER NOT NULL,
    need_from_ms INTEGER NOT NULL,
    need_to_ms INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (set_key, from_ms, to_ms)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX day_records_by_need ON day_records (vehicle_key, need_to_ms, need_from_ms);
  -- How often positions of a vehicle's past came late or were deleted.
  CREATE TABLE track_revisions (
    vehicle_key INTEGER PRIMARY KEY,
    revision INTEGER NOT NULL
  ) STRICT;
`;

const reportSchedules = `
  CREATE TABLE report_schedules (
    schedule_id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    record TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

const shares = `
  CREATE TABLE shares (
    share_id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    record TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

const quietNotifications = `
  ALTER TABLE notifications ADD COLUMN quiet INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE notifications ADD COLUMN sound TEXT NOT NULL DEFAULT 'default';
  CREATE INDEX notifications_quiet ON notifications (last_ms)
    WHERE state = 'open' AND (quiet = 1 OR severity = 'info');
`;

const notificationRules = `
  CREATE INDEX notifications_by_rule ON notifications (rule_id, last_ms, notification_id, vehicle_id, state, severity);
`;

const eventsOfGeofences = `
  -- Of a geofence, and of few vehicles at it: a depot's gate has millions of events, and a vehicle may never pass it.
  CREATE INDEX events_by_geofence ON events (geozone_id, time_ms, event_id, vehicle_id, kind)
    WHERE geozone_id IS NOT NULL;
  CREATE INDEX events_by_geofence_vehicle ON events (geozone_id, vehicle_id, time_ms, event_id, kind)
    WHERE geozone_id IS NOT NULL;
`;

const rulesAsTheyWere = `
  -- What a rule was goes with the last notification of that version, whatever deletes it.
  CREATE INDEX notifications_by_rule_version ON notifications (rule_id, rule_version);
  DELETE FROM rule_versions WHERE NOT EXISTS (
    SELECT 1 FROM notifications AS made
      WHERE made.rule_id = rule_versions.rule_id AND made.rule_version = rule_versions.version
  );
  CREATE TRIGGER rule_version_goes AFTER DELETE ON notifications
  BEGIN
    DELETE FROM rule_versions WHERE rule_id = OLD.rule_id AND version = OLD.rule_version AND NOT EXISTS (
      SELECT 1 FROM notifications WHERE rule_id = OLD.rule_id AND rule_version = OLD.rule_version
    );
  END;
`;

/**
 * `migrations[n]` turns a database of version n into one of version n + 1; version 0 is an empty file. A step that has
 * been released is never changed.
 */
export const migrations: readonly Migration[] = [
  ...released.map((sql) => ({ sql, copy: true })),
  { sql: unifiedStore, copy: false },
  { sql: apiTokens, copy: false },
  { sql: auditLog, copy: false },
  { sql: drivers, copy: false },
  { sql: cardReads, copy: false },
  { sql: dayRecords, copy: false },
  { sql: reportSchedules, copy: false },
  { sql: shiftTables, copy: false },
  { sql: quietNotifications, copy: false },
  { sql: escalationTables, copy: false },
  { sql: incidentsSchema, copy: false },
  { sql: incidentIndexes, copy: false },
  { sql: incidentRuleOwners, copy: false },
  { sql: incidentSnapshots, copy: false },
  { sql: snapshotVehicles, copy: false },
  { sql: shares, copy: false },
  { sql: notificationRules, copy: false },
  { sql: eventsOfGeofences, copy: false },
  { sql: rulesAsTheyWere, copy: false },
];
