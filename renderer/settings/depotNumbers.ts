import type { Settings, SettingsFields } from '../../server/contract/settings.ts';

type NumberName = {
  [K in keyof SettingsFields]: SettingsFields[K] extends number ? K : never;
}[keyof SettingsFields];

/** The numbers of the depot, in the order in which they are shown; each is typed in its own unit. */
export const numberGroups = {
  status: ['offline_s', 'settling_s', 'moving_kmh', 'idle_kmh', 'idle_s'],
  late: ['late_s', 'future_s'],
  speed: ['overspeed_tolerance_kmh', 'overspeed_min_duration_s', 'overspeed_quiet_s', 'overspeed_gap_s'],
  geofences: ['dwell_s', 'silent_s', 'unseen_way_s'],
  trips: [
    'trip_radius_m',
    'trip_speed_kmh',
    'trip_stop_s',
    'trip_ignition_off_s',
    'trip_gap_s',
    'trip_min_m',
  ],
  driving: [
    'harsh_acceleration_ms2',
    'harsh_braking_ms2',
    'harsh_cornering_ms2',
    'harsh_gap_s',
    'low_battery_pct',
    'low_battery_clear_pct',
  ],
  video: ['video_before_s', 'video_after_s', 'video_max_s', 'video_downloads', 'video_reserve_pct'],
  keeping: ['keep_positions_days', 'keep_events_days', 'keep_video_days', 'session_days'],
} as const satisfies Record<string, readonly NumberName[]>;

export type NumberGroup = keyof typeof numberGroups;
export type DepotNumber = (typeof numberGroups)[NumberGroup][number];

export type TypedNumbers = Readonly<Partial<Record<DepotNumber, string>>>;

/** What was typed, as a patch; the names of the fields that hold no number. */
export function readNumbers(
  typed: TypedNumbers,
  settings: Pick<Settings, DepotNumber>,
): { patch: Partial<Record<DepotNumber, number>>; wrong: DepotNumber[] } {
  const patch: Partial<Record<DepotNumber, number>> = {};
  const wrong: DepotNumber[] = [];
  for (const name of Object.values(numberGroups).flat()) {
    const text = typed[name];
    if (text === undefined) continue;
    const value = Number(text.trim().replace(',', '.'));
    if (text.trim() === '' || !Number.isFinite(value)) wrong.push(name);
    else if (value !== settings[name]) patch[name] = value;
  }
  return { patch, wrong };
}
