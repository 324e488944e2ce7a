/** Names that 0.1.0 wrote into the data folder, and what they are now. Columns and commands: schema.ts. */
const namesOf010 = {
  settings: {
    moving_kmh: 'moving_speed_kmh',
    idle_kmh: 'idle_speed_kmh',
    late_s: 'late_after_s',
    future_s: 'max_future_s',
    overspeed_quiet_s: 'overspeed_clear_s',
    unseen_way_s: 'crossing_max_gap_s',
    video_downloads: 'video_max_downloads',
    video_reserve_pct: 'video_min_free_pct',
    video_reserve_bytes: 'video_min_free_bytes',
    keep_positions_days: 'positions_retention_days',
    keep_events_days: 'events_retention_days',
    keep_video_days: 'video_retention_days',
    keep_video_bytes: 'video_quota_bytes',
  },
  recovery: { setAside: 'quarantinedAs', readFrom: 'restoredFrom' },
  /** Of an event's details, and of an episode in a vehicle's state. */
  limit: { limit_from: 'limit_source' },
  rejectionCode: {
    in_the_future: 'time_in_future',
    impossible_coordinate: 'invalid_coordinates',
    unreadable: 'undecodable',
  },
} as const satisfies Record<string, Record<string, string>>;

type Kind = keyof typeof namesOf010;

/** A value as it is named now. */
export function nameNow<T extends string>(kind: Kind, name: T): T {
  const names: Record<string, string> = namesOf010[kind];
  return (names[name] ?? name) as T;
}

/** A record with its keys as they are named now; the same where all of them are, or where it is no record. */
export function namedNow<T>(kind: Kind, record: T): T {
  const names: Record<string, string> = namesOf010[kind];
  if (typeof record !== 'object' || record === null) return record;
  if (!Object.keys(names).some((old) => old in record)) return record;
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [names[key] ?? key, value])) as T;
}
