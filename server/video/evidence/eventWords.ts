import type { EventKind } from '../../contract/events.ts';
import type { EventRow } from '../../store/telemetry/rows.ts';

interface Known {
  fence: string;
  /** `for 2 min 5 s` with a space before it; empty where no duration is known. */
  lasting: string;
  measured: string | null;
  allowed: string | null;
  alarm: string | null;
}

/** What each kind means, in the words of a report. */
const sentences: Record<EventKind, (known: Known) => string> = {
  geofence_enter: ({ fence }) => `Entered ${fence}`,
  geofence_exit: ({ fence, lasting }) => `Left ${fence}${lasting === '' ? '' : `, inside${lasting}`}`,
  geofence_dwell: ({ fence, lasting }) => `Stayed in ${fence}${lasting}`,
  silent_inside: ({ fence, lasting }) => `Silent inside ${fence}${lasting}`,
  overspeed: (known) => `Overspeed${against(known)}${known.lasting}`,
  moving: () => 'Set off',
  stopped: () => 'Came to a stop',
  idling: ({ lasting }) => `Engine running at a standstill${lasting}`,
  ignition_on: () => 'Ignition on',
  ignition_off: () => 'Ignition off',
  offline: ({ lasting }) => `No message${lasting}`,
  online: ({ lasting }) => `Back on line${lasting === '' ? '' : `, silent${lasting}`}`,
  sos: () => 'SOS button pressed',
  power_cut: () => 'The terminal lost its supply',
  low_battery: (known) => `Low battery${against(known)}`,
  harsh_acceleration: (known) => `Harsh acceleration${against(known)}`,
  harsh_braking: (known) => `Harsh braking${against(known)}`,
  harsh_cornering: (known) => `Harsh cornering${against(known)}`,
  terminal_alarm: ({ alarm }) => `Terminal alarm${alarm === null ? '' : `: ${alarm}`}`,
  video_done: () => 'A video was fetched',
  video_failed: ({ alarm }) => `A video could not be fetched${alarm === null ? '' : ` (${alarm})`}`,
};

/** What happened, in a short sentence without its full stop. */
export function eventWords(
  { kind, values }: Pick<EventRow, 'kind' | 'values'>,
  geofence: string | null,
): string {
  const { measured, threshold, unit, duration_s, alarm } = values;
  return sentences[kind]({
    fence: geofence ?? 'a geofence',
    lasting: duration_s === null ? '' : ` for ${span(duration_s)}`,
    measured: measured === null ? null : amount(measured, unit),
    allowed: threshold === null ? null : amount(threshold, unit),
    alarm,
  });
}

function against({ measured, allowed }: Known): string {
  if (measured === null) return '';
  return allowed === null ? `: ${measured}` : `: ${measured}, limit ${allowed}`;
}

function amount(value: number, unit: string | null): string {
  return `${Number(value.toFixed(1))}${unit === null ? '' : ` ${unit}`}`;
}

/** `45 s`, `2 min 5 s`, `3 h 20 min`, `2 d 4 h` */
export function span(seconds: number): string {
  const s = Math.round(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3_600) return two(s, 60, 'min', 1, 's');
  if (s < 86_400) return two(s, 3_600, 'h', 60, 'min');
  return two(s, 86_400, 'd', 3_600, 'h');
}

function two(seconds: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((seconds % large) / small);
  return `${Math.floor(seconds / large)} ${largeUnit}${rest === 0 ? '' : ` ${rest} ${smallUnit}`}`;
}
