/** Incidents, with what is attached to them and what was done. */
export const incidentsSchema = `
  CREATE TABLE incidents (
    incident_id TEXT PRIMARY KEY,
    number INTEGER NOT NULL UNIQUE,
    title TEXT NOT NULL,
    -- Title and driver as search compares them.
    folded TEXT NOT NULL,
    status TEXT NOT NULL,
    close_reason TEXT,
    severity TEXT NOT NULL,
    opened_by TEXT NOT NULL,
    -- An alarm of the same key goes to the one that is not closed; NULL: it began without an alarm.
    repeat_key TEXT,
    event_kind TEXT,
    rule_id TEXT,
    owner_id TEXT,
    owner_name TEXT,
    vehicle_id TEXT NOT NULL,
    geozone_id TEXT,
    lat REAL,
    lon REAL,
    time_ms INTEGER NOT NULL,
    from_ms INTEGER NOT NULL,
    to_ms INTEGER NOT NULL,
    -- Driver and address of that time are looked up once; until then it is 0.
    described INTEGER NOT NULL,
    driver TEXT,
    place TEXT,
    checklist TEXT NOT NULL,
    notes INTEGER NOT NULL,
    note_chars INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    created_by TEXT,
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL,
    closed_ms INTEGER,
    version INTEGER NOT NULL,
    revision INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX incidents_by_creation ON incidents (created_ms, incident_id, vehicle_id, status, owner_id);
  CREATE INDEX incidents_by_vehicle ON incidents (vehicle_id, created_ms, incident_id, status, owner_id);
  CREATE INDEX incidents_not_closed ON incidents (created_ms, incident_id, vehicle_id, status, owner_id)
    WHERE status <> 'closed';
  CREATE INDEX incidents_by_key ON incidents (repeat_key, created_ms) WHERE status <> 'closed';
  -- What happened to a vehicle meanwhile is kept.
  CREATE INDEX incidents_of_vehicle ON incidents (vehicle_id, from_ms, to_ms) WHERE status <> 'closed';
  CREATE INDEX incidents_closed ON incidents (closed_ms) WHERE closed_ms IS NOT NULL;
  CREATE INDEX incidents_not_described ON incidents (created_ms) WHERE described = 0;

  CREATE TABLE incident_alarms (
    notification_id TEXT PRIMARY KEY,
    incident_id TEXT NOT NULL,
    vehicle_id TEXT NOT NULL
  ) STRICT;
  CREATE INDEX incident_alarms_of ON incident_alarms (incident_id);

  CREATE TABLE incident_clips (
    task_id TEXT NOT NULL,
    incident_id TEXT NOT NULL,
    vehicle_id TEXT NOT NULL,
    PRIMARY KEY (task_id, incident_id)
  ) STRICT;
  CREATE INDEX incident_clips_of ON incident_clips (incident_id);

  CREATE TABLE incident_entries (
    entry_id INTEGER PRIMARY KEY AUTOINCREMENT,
    incident_id TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    action TEXT NOT NULL,
    -- NULL: the host itself.
    actor TEXT,
    actor_name TEXT,
    text TEXT,
    before TEXT,
    after TEXT,
    notification_id TEXT,
    task_id TEXT,
    -- Of the alarm or clip.
    vehicle_id TEXT
  ) STRICT;
  CREATE INDEX incident_entries_of ON incident_entries (incident_id, entry_id);
`;

/** By which the incidents that the rules of a user opened are counted. */
export const incidentRuleOwners = 'ALTER TABLE incidents ADD COLUMN rule_owner TEXT;';

/** By which what is deleted of a vehicle or a driver is found in them. */
export const incidentIndexes = `
  CREATE INDEX incident_alarms_of_vehicle ON incident_alarms (vehicle_id);
  CREATE INDEX incident_clips_of_vehicle ON incident_clips (vehicle_id);
  CREATE INDEX incident_entries_of_vehicle ON incident_entries (vehicle_id, notification_id)
    WHERE vehicle_id IS NOT NULL;
  CREATE INDEX incidents_of_driver ON incidents (driver ->> 'driver_id') WHERE driver IS NOT NULL;
`;

/** Pictures that people attached; their files lie in the data folder. */
export const incidentSnapshots = `
  CREATE TABLE incident_snapshots (
    snapshot_id TEXT PRIMARY KEY,
    incident_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    time_ms INTEGER NOT NULL,
    vehicle_id TEXT NOT NULL,
    channel INTEGER,
    note TEXT,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    size_bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX incident_snapshots_of ON incident_snapshots (incident_id);
  CREATE INDEX incident_snapshots_of_vehicle ON incident_snapshots (vehicle_id, time_ms);
  -- By which those of a user, and of all, are counted.
  CREATE INDEX incident_snapshots_of_user ON incident_snapshots (created_by, size_bytes);
  ALTER TABLE incident_entries ADD COLUMN snapshot_id TEXT;
`;

/** The vehicles that can be seen on a snapshot, by which it is found when their data are deleted. */
export const snapshotVehicles = `
  CREATE TABLE incident_snapshot_vehicles (
    vehicle_id TEXT NOT NULL,
    snapshot_id TEXT NOT NULL,
    PRIMARY KEY (vehicle_id, snapshot_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX incident_snapshot_vehicles_of ON incident_snapshot_vehicles (snapshot_id);
  CREATE TRIGGER incident_snapshot_goes AFTER DELETE ON incident_snapshots
  BEGIN
    DELETE FROM incident_snapshot_vehicles WHERE snapshot_id = OLD.snapshot_id;
  END;
`;
