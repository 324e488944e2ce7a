import { describe, expect, it } from 'vitest';
import { eventKind, type EventKind, type EventDetails } from '../../../server/contract/events.ts';
import { createDepotTime } from '../../../renderer/format/depotTime.ts';
import { createI18n, createTranslate } from '../../../renderer/i18n/text.ts';
import { alarmLabels } from '../../../renderer/notifications/alarmLabels.ts';
import { sampleNotification } from '../samples.ts';

const time = createDepotTime('Europe/Berlin');
const NOON = Date.UTC(2026, 10, 21, 12);
const parts = {
  t: createTranslate(createI18n()),
  asOf: () => NOON,
  settings: { getState: () => ({ time }) },
  geofences: { store: { getState: () => ({ byId: new Map([['g1', { name: 'Depot North' }]]) }) } },
};
const sample = sampleNotification();
const nothing: EventDetails = {
  measured: null,
  threshold: null,
  unit: null,
  duration_s: null,
  alarm: null,
  limit_source: null,
  ended_at: null,
  fixes: [],
};

function wordsOf(event_kind: EventKind, details: Partial<EventDetails> = {}) {
  const words = alarmLabels(
    { ...sample, event_kind, geozone_id: 'g1', details: { ...nothing, ...details } },
    parts,
  );
  // A number and its unit are kept on one line by a space that tests need not know.
  const plain = (text: string) => text.replaceAll('\u00a0', ' ');
  return { kind: words.kind, what: plain(words.what), short: plain(words.short) };
}

const seconds = (measured: number, threshold: number) => ({
  measured,
  threshold,
  unit: 's',
  duration_s: measured,
  // Over: what goes on grows.
  ended_at: '2026-11-21T12:00:00.000Z',
});

describe('an alarm in words', () => {
  it('an alarm in words says the measured value, the allowed one, and since when', () => {
    const fixes = [{ time: '2026-11-19T11:03:26.000Z', lat: 0, lon: 0, speed_kmh: 94 }];
    const words = alarmLabels({ ...sample, details: { ...sample.details, fixes } }, parts);
    expect(words).toEqual({
      kind: 'Overspeed',
      what: '94 km/h, limit 60, since 12:03:26',
      short: '94 in a 60',
    });
  });

  it('an alarm in words names the geofence, and how long it was inside', () => {
    expect(wordsOf('geofence_enter').what).toBe('entered Depot North');
    expect(wordsOf('geofence_exit', { duration_s: 158 })).toEqual({
      kind: 'Left geofence',
      what: 'left Depot North after 2 min 38 s',
      short: 'left Depot North',
    });
  });

  it('an alarm in words compares durations with the allowed duration', () => {
    expect(wordsOf('geofence_dwell', seconds(2_535, 1_200))).toEqual({
      kind: 'Long stay',
      what: 'inside for 42 min, limit 20',
      short: 'inside 42 min, limit 20',
    });
    expect(wordsOf('silent_inside', seconds(372, 300)).what).toBe(
      'no contact for 6 min inside Depot North, limit 5',
    );
    expect(wordsOf('idling', seconds(900, 300)).what).toBe('idle for 15 min, limit 5');
    expect(wordsOf('offline', seconds(725, 600)).what).toBe('no contact for 12 min');
    expect(wordsOf('offline', seconds(725, 600)).short).toBe('no contact 12 min');
    expect(wordsOf('online', { duration_s: 158 }).what).toBe('back after 2 min 38 s');
  });

  it('an alarm in words says the unit of what is allowed where it is another one, and seconds where they count', () => {
    expect(wordsOf('geofence_dwell', seconds(7_800, 1_200)).what).toBe('inside for 2 h 10 min, limit 20 min');
    expect(wordsOf('geofence_dwell', seconds(110, 90)).what).toBe('inside for 1 min 50 s, limit 1 min 30 s');
    expect(wordsOf('idling', seconds(61, 60)).what).toBe('idle for 1 min, limit 1');
  });

  it('an alarm in words says how long it has gone on by now, until it is over', () => {
    const silence = { ...seconds(600, 600), fixes: [] };
    const words = (ended_at: string | null) =>
      alarmLabels(
        {
          ...sample,
          event_kind: 'offline',
          last_time: new Date(NOON - 125 * 60_000).toISOString(),
          details: { ...nothing, ...silence, ended_at },
        },
        parts,
      ).what.replaceAll('\u00a0', ' ');
    expect(words(null)).toBe('no contact for 2 h 15 min');
    expect(words(new Date(NOON - 60_000).toISOString())).toBe('no contact for 10 min');
  });

  it('an alarm in words says forces and the battery with their units', () => {
    expect(wordsOf('harsh_braking', { measured: -4.2, threshold: -3.5, unit: 'm/s²' })).toEqual({
      kind: 'Harsh braking',
      what: 'braked at 4.2 m/s², limit 3.5',
      short: 'braking 4.2 m/s²',
    });
    expect(wordsOf('harsh_cornering', { measured: 5, threshold: 4, unit: 'm/s²' }).what).toBe(
      'cornered at 5 m/s², limit 4',
    );
    expect(wordsOf('low_battery', { measured: 18, threshold: 20, unit: '%' }).what).toBe(
      'battery 18 %, limit 20',
    );
  });

  it('an alarm in words names its reporter where nothing was measured', () => {
    expect(wordsOf('harsh_acceleration', { alarm: 'acceleration' }).what).toBe('reported by the terminal');
    expect(wordsOf('low_battery').what).toBe('reported by the terminal');
  });

  it('an alarm in words calls a terminal’s own alarm by its name', () => {
    expect(wordsOf('terminal_alarm', { alarm: 'fuel_leak' })).toMatchObject({
      kind: 'Fuel leak',
      short: 'fuel leak',
    });
  });

  it.each(eventKind.options)(
    'an alarm in words has a name and a sentence for %s, measured or not',
    (kind) => {
      for (const details of [{}, seconds(900, 300)]) {
        const { kind: name, what, short } = wordsOf(kind, details);
        for (const text of [name, what, short]) {
          expect(text).toMatch(/\S/);
          expect(text).not.toMatch(/\{\{|undefined|null|^alarm\./);
        }
        expect(name).toMatch(/^\p{Lu}/u);
      }
    },
  );
});
