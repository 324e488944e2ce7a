import type { DriverThen } from '../../contract/drivers.ts';
import type { EventKind } from '../../contract/events.ts';
import type {
  IncidentAction,
  IncidentChecklistItem,
  IncidentSnapshot,
  IncidentStatus,
} from '../../contract/incidents.ts';
import type { Severity } from '../../contract/rules.ts';

/** One incident, without its timeline. Times are Unix milliseconds in UTC. */
export interface IncidentRow {
  incident_id: string;
  number: number;
  title: string;
  status: IncidentStatus;
  close_reason: string | null;
  severity: Severity;
  opened_by: 'user' | 'rule' | 'sos';
  repeat_key: string | null;
  event_kind: EventKind | null;
  rule_id: string | null;
  /** Whose rule opened it; null: a person did, an SOS, or a rule of the depot. */
  rule_owner: string | null;
  owner_id: string | null;
  /** When it was assigned. */
  owner_name: string | null;
  vehicle_id: string | null;
  geozone_id: string | null;
  lat: number | null;
  lon: number | null;
  time_ms: number;
  from_ms: number;
  to_ms: number;
  /** Whether driver and place were looked up. */
  described: boolean;
  driver: DriverThen | null;
  place: string | null;
  checklist: IncidentChecklistItem[];
  notes: number;
  note_chars: number;
  entries: number;
  last_entry: IncidentEntryRow | null;
  alarms: { notification_id: string; vehicle_id: string | null }[];
  clips: { task_id: string; vehicle_id: string | null }[];
  snapshots: SnapshotRow[];
  created_by: string | null;
  created_ms: number;
  updated_ms: number;
  closed_ms: number | null;
  version: number;
  revision: number;
}

/** A picture that somebody attached; its file bears its id. */
export interface SnapshotRow {
  snapshot_id: string;
  kind: IncidentSnapshot['kind'];
  time_ms: number;
  vehicle_id: string | null;
  channel: number | null;
  note: string | null;
  width: number;
  height: number;
  size_bytes: number;
  sha256: string;
  created_by: string;
  created_ms: number;
}

export interface IncidentEntryRow {
  entry_id: number;
  incident_id: string;
  at_ms: number;
  action: IncidentAction;
  actor: string | null;
  actor_name: string | null;
  text: string | null;
  before: string | null;
  after: string | null;
  notification_id: string | null;
  task_id: string | null;
  snapshot_id: string | null;
  /** Of the alarm, clip or snapshot. */
  vehicle_id: string | null;
}

/** What a new incident is made of. */
export interface NewIncidentRow extends Pick<
  IncidentRow,
  | 'incident_id'
  | 'title'
  | 'severity'
  | 'opened_by'
  | 'repeat_key'
  | 'event_kind'
  | 'rule_id'
  | 'rule_owner'
  | 'vehicle_id'
  | 'geozone_id'
  | 'lat'
  | 'lon'
  | 'time_ms'
  | 'from_ms'
  | 'to_ms'
  | 'described'
  | 'driver'
  | 'place'
> {
  /** The texts of its items. */
  checklist: readonly string[];
  /** Of the rule of its first alarm. */
  rule_name: string | null;
}

/** What an alarm makes of incidents: it goes to the one of its key that is not closed, or opens one. */
export interface IncidentOpening extends NewIncidentRow {
  repeat_key: string;
  /** Null: an SOS for which no rule has notified. */
  notification_id: string | null;
  /** Clips that were requested with it. */
  task_ids: readonly string[];
}

export interface IncidentOwner {
  user_id: string;
  name: string;
}

/** A user who may own no incidents any more but those of these vehicles; null: those without a vehicle. */
export interface FormerOwner {
  user_id: string;
  keeps: readonly (string | null)[];
}

/** What happens to one incident; decided where it is stored, so that nothing that others do meanwhile is lost. */
export type IncidentChange =
  | {
      kind: 'patch';
      if_version: number | null;
      title?: string;
      status?: Exclude<IncidentStatus, 'closed'>;
      severity?: Severity;
      owner?: IncidentOwner | null;
    }
  | {
      kind: 'close';
      if_version: number | null;
      reason: string;
      note: string | null;
      /** Whose alarms are acknowledged with it. */
      vehicle_ids: readonly (string | null)[];
    }
  /** `isLimited`: by a user who is no dealer. */
  | {
      kind: 'reopen';
      if_version: number | null;
      note: string | null;
      isLimited: boolean;
      /** Its owner may handle it no more. */
      releases?: boolean;
    }
  | { kind: 'note'; text: string }
  | { kind: 'tick'; item_id: number; done: boolean }
  | { kind: 'attach_alarm'; notification_id: string }
  | { kind: 'detach_alarm'; notification_id: string }
  | { kind: 'attach_clip'; task_id: string; vehicle_id: string }
  | { kind: 'detach_clip'; task_id: string }
  /** `isLimited`: by a user who is no dealer. */
  | {
      kind: 'attach_snapshot';
      snapshot: Omit<SnapshotRow, 'created_by' | 'created_ms'>;
      /** The vehicles that can be seen on it. */
      shown: readonly string[];
      isLimited: boolean;
    }
  | { kind: 'remove_snapshot'; snapshot_id: string }
  /** Driver and address as they were. */
  | { kind: 'describe'; driver: DriverThen | null; place: string | null };

/** Matches by number, by all words in title and, where it may be known, driver, or by vehicle. */
export interface IncidentSearch {
  number: number | null;
  /** Folded. */
  words: string[];
  /** Whether who searches may know the driver. */
  in_driver: boolean;
  vehicle_ids: string[];
}
