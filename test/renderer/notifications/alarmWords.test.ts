import { describe, expect, it } from 'vitest';
import { createDepotTime } from '../../../renderer/format/depotTime.ts';
import { createTexts, sayWith } from '../../../renderer/i18n/text.ts';
import { alarmWords } from '../../../renderer/notifications/alarmWords.ts';
import { sampleNotification } from '../samples.ts';

const time = createDepotTime('Europe/Berlin');
const parts = {
  say: sayWith(createTexts()),
  settings: { getState: () => ({ time }) },
  geofences: { store: { getState: () => ({ byId: new Map([['g1', { name: 'Quay 4' }]]) }) } },
};
const sample = sampleNotification();

describe('an alarm in words', () => {
  it('says the measured value, the allowed one, and since when', () => {
    const fixes = [{ time: '2026-11-19T11:03:26.000Z', lat: 0, lon: 0, speed_kmh: 94 }];
    const words = alarmWords({ ...sample, values: { ...sample.values, fixes } }, parts);
    expect(words).toEqual({
      kind: 'Overspeed',
      what: '94 km/h where 60 is allowed, since 12:03:26',
      short: '94 in a 60',
    });
  });

  it('names the geofence', () => {
    const words = alarmWords({ ...sample, event_kind: 'geofence_enter', geozone_id: 'g1' }, parts);
    expect(words.what).toBe('entered Quay 4');
  });

  it('calls a terminal’s own alarm by its name', () => {
    const values = { ...sample.values, alarm: 'harsh_braking' };
    expect(alarmWords({ ...sample, event_kind: 'terminal_alarm', values }, parts).kind).toBe('Harsh braking');
  });
});
