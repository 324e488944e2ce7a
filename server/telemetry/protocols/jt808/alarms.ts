// Names of alarms in our words; those that are kinds of events here (contract/events.ts) have the kind's name.

type BitNames = Readonly<Record<number, string>>;

/** The alarm DWORD: JT/T 808-2013 table 24. */
const general: BitNames = {
  0: 'sos',
  1: 'overspeed',
  2: 'fatigue_driving',
  3: 'danger_warning',
  4: 'gnss_fault',
  5: 'gnss_antenna_cut',
  6: 'gnss_antenna_short',
  7: 'low_battery',
  8: 'power_cut',
  9: 'display_fault',
  10: 'tts_fault',
  11: 'camera_fault',
  12: 'card_reader_fault',
  13: 'overspeed_warning',
  14: 'fatigue_warning',
  18: 'driving_time_exceeded',
  19: 'parked_too_long',
  20: 'area_crossed',
  21: 'route_crossed',
  22: 'segment_time',
  23: 'off_route',
  24: 'speed_sensor_fault',
  25: 'fuel_abnormal',
  26: 'theft',
  27: 'illegal_ignition',
  28: 'illegal_move',
  29: 'collision',
  30: 'rollover',
  31: 'illegal_door_opening',
};

/** Reserved before 2019, where makers put their own there. */
const since2019: BitNames = { 15: 'illegal_driving', 16: 'tyre_pressure', 17: 'blind_spot_fault' };

/** Item 14: JT/T 1078-2016 table 14. */
const video: BitNames = {
  0: 'video_signal_lost',
  1: 'video_signal_covered',
  2: 'video_storage_fault',
  3: 'video_fault',
  4: 'overloaded',
  5: 'abnormal_driving',
  6: 'video_alarm_storage_full',
};

/** Item 18: JT/T 1078-2016 table 15. */
const driver: BitNames = { 0: 'driver_fatigue', 1: 'driver_phone', 2: 'driver_smoking' };

/** The alarms that have a name, and the bits that have none; lowest first. */
export interface AlarmBits {
  names: string[];
  unnamed: number[];
}

const generalSince2019: BitNames = { ...general, ...since2019 };

export function generalAlarms(flags: number, is2019: boolean): AlarmBits {
  return named(flags, is2019 ? generalSince2019 : general);
}

export function videoAlarms(flags: number): AlarmBits {
  return named(flags, video);
}

export function driverAlarms(flags: number): AlarmBits {
  return named(flags, driver);
}

/** The bits that are set, lowest first; of a DWORD. */
export function bitsOf(flags: number): number[] {
  return Array.from({ length: 32 }, (_, bit) => bit).filter((bit) => ((flags >>> bit) & 1) === 1);
}

function named(flags: number, names: BitNames): AlarmBits {
  const bits = bitsOf(flags);
  return {
    names: bits.flatMap((bit) => names[bit] ?? []),
    unnamed: bits.filter((bit) => names[bit] === undefined),
  };
}
