import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../server/clock.ts';
import { openMemoryStore } from '../../../../server/store/memoryStore.ts';
import type { EventRow } from '../../../../server/store/telemetry/rows.ts';
import { createServerWords } from '../../../../server/contract/texts/serverWords.ts';
import { eventRow } from '../../../../server/telemetry/eventRows.ts';
import { eventLabel, eventsOf } from '../../../../server/video/evidence/vehicleFiles.ts';
import { placesBy } from '../../../support/namedPlaces.ts';
import { batch } from '../../store/telemetry/sampleRows.ts';
import { eventKind } from '../../../../server/contract/events.ts';

const english = createServerWords({});
const hour = 3_600_000;
const never = new AbortController().signal;

describe('the events of a period', () => {
  it('the events of a period come oldest first over days and pages, each once, of this vehicle alone', async () => {
    const store = openMemoryStore(systemClock);
    const at = (vehicle_id: string, time_ms: number, n: number) =>
      eventRow({
        event_id: `${vehicle_id} ${String(n).padStart(5, '0')}`,
        kind: 'moving',
        vehicle_id,
        time_ms,
        received_ms: time_ms,
        details: {},
      });
    // More in one hour than a page holds, then one every six hours for three days.
    const crowd = Array.from({ length: 1_500 }, (_, i) => at('van', 100 * hour + i * 1_000, i));
    const rest = Array.from({ length: 12 }, (_, i) => at('van', 102 * hour + i * 6 * hour, 2_000 + i));
    await store.commit(batch({ events: [...crowd, ...rest, at('bus', 101 * hour, 0)] }));

    const ids: string[] = [];
    const period = { vehicle_id: 'van', from_ms: 100 * hour + 1_000, to_ms: 102 * hour + 11 * 6 * hour };
    const seenEvent = (row: EventRow) => ({ row, geofence: null });
    const namePlaces = placesBy()({ wait_ms: 0, points: 0 }, { user_id: '', signal: never });
    for await (const { row } of eventsOf(period, { store, seenEvent, namePlaces, words: english }))
      ids.push(row.event_id);
    expect(ids).toEqual([...crowd.slice(1), ...rest].map((row) => row.event_id));
  });
});

type Row = Parameters<typeof eventRow>[0];

function words(kind: Row['kind'], details: Row['details'] = {}, geofence: string | null = null): string {
  const row = eventRow({ event_id: 'e', kind, vehicle_id: 'v', time_ms: 0, received_ms: 0, details });
  return eventLabel(row, geofence, english);
}

describe('an event in words', () => {
  it('an event in words says what happened with its numbers', () => {
    const overspeed = { measured: 93.46, threshold: 60, unit: 'km/h', duration_s: 125 };
    expect(words('overspeed', overspeed)).toBe('Overspeed, 93 km/h, limit 60, for 2 min 5 s');
    expect(words('harsh_braking', { measured: 4.1, unit: 'm/s²' })).toBe('Harsh braking, 4.1 m/s²');
    expect(words('geofence_enter', {}, 'Yard')).toBe('Entered Yard');
    expect(words('geofence_exit', { duration_s: 3_700 }, 'Yard')).toBe('Left Yard after 1 h 1 min');
    expect(words('terminal_alarm', { alarm: 'tow' })).toBe('Terminal alarm: tow');
  });

  it('an event in words says what it can where the numbers or the geofence are not known', () => {
    for (const kind of eventKind.options) {
      expect(words(kind)).toMatch(/^[A-Z][^{}]+[^ .:,]$/);
      expect(words(kind)).not.toMatch(/null|undefined|NaN/);
    }
  });
});
