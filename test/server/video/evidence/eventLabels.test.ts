import { describe, expect, it } from 'vitest';
import { eventKind } from '../../../../server/contract/events.ts';
import { eventRow } from '../../../../server/telemetry/eventRows.ts';
import { eventLabels } from '../../../../server/video/evidence/eventFiles.ts';

type Row = Parameters<typeof eventRow>[0];

function words(kind: Row['kind'], details: Row['details'] = {}, geofence: string | null = null): string {
  const row = eventRow({ event_id: 'e', kind, vehicle_id: 'v', time_ms: 0, received_ms: 0, details });
  return eventLabels(row, geofence);
}

describe('an event in words', () => {
  it('an event in words says what happened with its numbers', () => {
    const overspeed = { measured: 93.46, threshold: 60, unit: 'km/h', duration_s: 125 };
    expect(words('overspeed', overspeed)).toBe('Overspeed: 93.5 km/h, limit 60 km/h for 2 min 5 s');
    expect(words('harsh_braking', { measured: 4.1, unit: 'm/s²' })).toBe('Harsh braking: 4.1 m/s²');
    expect(words('geofence_enter', {}, 'Yard')).toBe('Entered Yard');
    expect(words('geofence_exit', { duration_s: 3_700 }, 'Yard')).toBe('Left Yard, inside for 1 h 1 min');
    expect(words('terminal_alarm', { alarm: 'tow' })).toBe('Terminal alarm: tow');
  });

  it('an event in words says what it can where the numbers or the geofence are not known', () => {
    for (const kind of eventKind.options) {
      expect(words(kind)).toMatch(/^[A-Z][^{}]+[^ .:,]$/);
      expect(words(kind)).not.toMatch(/null|undefined|NaN/);
    }
  });
});
