import type { EventKind } from '../../contract/events.ts';
import { spanText } from '../../notifications/channels/alarmText.ts';
import type { EventRow } from '../../store/telemetry/rows.ts';

interface Known {
  geofence: string;
  /** `for 2 min 5 s` with a space before it; empty where no duration is known. */
  lasting: string;
  measured: string | null;
  allowed: string | null;
  alarm: string | null;
}

/** What each kind means, in the words of a report. */
const sentences: Record<EventKind, (known: Known) => string> = {
  geofence_enter: ({ geofence }) => `Entered ${geofence}`,
  geofence_exit: ({ geofence, lasting }) => `Left ${geofence}${lasting === '' ? '' : `, inside${lasting}`}`,
  geofence_dwell: ({ geofence, lasting }) => `Stayed in ${geofence}${lasting}`,
  silent_inside: ({ geofence, lasting }) => `Lost contact inside ${geofence}${lasting}`,
  overspeed: (known) => `Overspeed${against(known)}${known.lasting}`,
  moving: () => 'Started moving',
  stopped: () => 'Came to a stop',
  idling: ({ lasting }) => `Engine running at a standstill${lasting}`,
  ignition_on: () => 'Ignition on',
  ignition_off: () => 'Ignition off',
  offline: ({ lasting }) => `No contact${lasting}`,
  online: ({ lasting }) => `Back online${lasting === '' ? '' : `, no contact${lasting}`}`,
  sos: () => 'SOS button pressed',
  power_cut: () => 'The terminal lost external power',
  low_battery: (known) => `Low battery${against(known)}`,
  harsh_acceleration: (known) => `Harsh acceleration${against(known)}`,
  harsh_braking: (known) => `Harsh braking${against(known)}`,
  harsh_cornering: (known) => `Harsh cornering${against(known)}`,
  terminal_alarm: ({ alarm }) => `Terminal alarm${alarm === null ? '' : `: ${alarm}`}`,
  video_done: () => 'A video was fetched',
  video_failed: ({ alarm }) => `A video could not be fetched${alarm === null ? '' : ` (${alarm})`}`,
};

/** What happened, in a short sentence without its full stop. */
export function eventLabels(
  { kind, details }: Pick<EventRow, 'kind' | 'details'>,
  geofence: string | null,
): string {
  const { measured, threshold, unit, duration_s, alarm } = details;
  return sentences[kind]({
    geofence: geofence ?? 'a geofence',
    lasting: duration_s === null ? '' : ` for ${spanText(duration_s)}`,
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
