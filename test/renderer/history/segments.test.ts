import { expect, it } from 'vitest';
import { toPastTrack } from '../../../renderer/history/pastTrack.ts';
import { holdsInstant, segmentsOf, type DayRows } from '../../../renderer/history/segments.ts';
import { trackFlags } from '../../../server/contract/packedTracks.ts';

const BEGIN = Date.UTC(2026, 10, 17);
const HOUR = 3_600_000;
const day = { from: BEGIN, to: BEGIN + 24 * HOUR };
const iso = (hour: number) => new Date(BEGIN + hour * HOUR).toISOString();
const ends = (from: number, to: number) => ({ start_time: iso(from), end_time: iso(to) });

const track = toPastTrack(
  {
    vehicle_id: 'v1',
    time_ms: Float64Array.of(BEGIN - HOUR, BEGIN + HOUR, BEGIN + 5 * HOUR, BEGIN + 12 * HOUR),
    lat: new Float64Array(4),
    lon: new Float64Array(4),
    speed_kmh: new Float64Array(4),
    course_deg: new Float64Array(4),
    flags: Uint8Array.of(0, trackFlags.gap_before, 0, trackFlags.gap_before),
    values: {},
  },
  3,
);

it('the segments of a day are its trips, stops, gaps and events in order of time, cut at its ends', () => {
  const rows = {
    trips: [ends(8, 9), ends(23, 25)],
    stops: [ends(-3, 8), ends(9, 23)],
    events: [{ event_id: 'e1', time: iso(9) }],
  } as unknown as DayRows;
  const found = segmentsOf(rows, track, day).map(({ kind, from, to }) => [
    kind,
    (from - BEGIN) / HOUR,
    (to - BEGIN) / HOUR,
  ]);
  expect(found).toEqual([
    ['stop', 0, 8],
    ['gap', 0, 1],
    ['gap', 5, 12],
    ['trip', 8, 9],
    ['stop', 9, 23],
    ['event', 9, 9],
    ['trip', 23, 24],
  ]);
});

it('a segment holds the instants from its beginning to before its end, and an event its own', () => {
  const trip = { from: BEGIN, to: BEGIN + HOUR };
  expect([BEGIN - 1, BEGIN, BEGIN + HOUR - 1, BEGIN + HOUR].map((at) => holdsInstant(trip, at))).toEqual([
    ...[false, true, true, false],
  ]);
  const event = { from: BEGIN, to: BEGIN };
  expect([BEGIN - 400, BEGIN, BEGIN + 600].map((at) => holdsInstant(event, at))).toEqual([true, true, false]);
});
