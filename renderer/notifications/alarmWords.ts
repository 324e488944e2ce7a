import type { Event, EventKind, EventValues } from '../../server/contract/events.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import { numberText } from '../format/numbers.ts';
import type { DepotTime } from '../format/depotTime.ts';
import type { Say } from '../i18n/text.ts';

export interface AlarmWords {
  /** Overspeed */
  kind: string;
  /** 94 km/h where 60 is allowed, since 12:03:26 */
  what: string;
  /** 94 in a 60, for a data block and a line of the journal. */
  short: string;
}

export interface WordParts {
  say: Say;
  settings: { getState: () => { time: DepotTime } };
  geofences: { store: { getState: () => { byId: ReadonlyMap<string, { name: string }> } } };
}

/** A notification in words: the measured value and the allowed one. */
export function alarmWords(notification: Notification, parts: WordParts): AlarmWords {
  return wordsOf(notification.event_kind, notification.values, notification.geozone_id, parts, true);
}

/** An event of the journal in words. */
export function eventWords(event: Event, parts: WordParts): AlarmWords {
  return wordsOf(event.kind, event.values, event.geozone_id, parts, false);
}

function wordsOf(
  kind: EventKind,
  values: EventValues,
  geozoneId: string | null,
  { say, settings, geofences }: WordParts,
  withSince: boolean,
): AlarmWords {
  const fence =
    geozoneId === null
      ? say('place.unknown_geofence')
      : (geofences.store.getState().byId.get(geozoneId)?.name ?? say('place.unknown_geofence'));
  switch (kind) {
    case 'overspeed': {
      const measured = numberText(values.measured ?? 0);
      const allowed = numberText(values.threshold ?? 0);
      const since = sinceOf(values);
      const what = say('alarm.overspeed.what', { measured, allowed });
      return {
        kind: say('alarm.overspeed'),
        what:
          withSince && since !== null
            ? say('alarm.since', { what, time: settings.getState().time.clock(since) })
            : what,
        short: say('alarm.overspeed.short', { measured, allowed }),
      };
    }
    case 'geofence_enter':
      return {
        kind: say('alarm.geofence_enter'),
        what: say('alarm.geofence_enter.what', { fence }),
        short: say('alarm.geofence_enter.what', { fence }),
      };
    case 'geofence_exit':
      return {
        kind: say('alarm.geofence_exit'),
        what: say('alarm.geofence_exit.what', { fence }),
        short: say('alarm.geofence_exit.what', { fence }),
      };
    case 'sos':
      return { kind: say('alarm.sos'), what: say('alarm.sos.what'), short: say('alarm.sos.short') };
    case 'terminal_alarm': {
      const alarm = (values.alarm ?? say('alarm.terminal_alarm')).replaceAll('_', ' ');
      const name = alarm.charAt(0).toUpperCase() + alarm.slice(1);
      return { kind: name, what: say('alarm.terminal_alarm.what'), short: alarm };
    }
  }
}

/** When the episode began: its first fix, else so long before its end as it lasted. */
function sinceOf({ fixes, duration_s, ended_at }: EventValues): number | null {
  const first = fixes[0];
  if (first !== undefined) return Date.parse(first.time);
  return ended_at !== null && duration_s !== null ? Date.parse(ended_at) - duration_s * 1_000 : null;
}
