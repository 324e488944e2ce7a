import { expect, it } from 'vitest';
import { trackFlags } from '../../../server/contract/packedTracks.ts';
import { toPastTrack } from '../../../renderer/history/pastTrack.ts';
import { countMoving, speedColumn, trackPicture } from '../../../renderer/history/trackPicture.ts';

const MIN = 60_000;
const day = { from: 0, to: 100 * MIN };
const thresholds = { offline_s: 600, moving_speed_kmh: 5, idle_speed_kmh: 5, idle_s: 300 };
const look = { limitKmh: null, thresholds, colourBy: 'speed' } as const;

/** Minutes, km/h, and whether a gap came before; with the ignition on or, where it is left out, unknown. */
function trackOf(fixes: readonly [minute: number, speed: number, gap?: true][], ignition?: 'on') {
  return toPastTrack(
    {
      vehicle_id: 'v1',
      time_ms: Float64Array.from(fixes, ([minute]) => minute * MIN),
      lat: Float64Array.from(fixes, () => 52),
      lon: Float64Array.from(fixes, ([minute]) => minute / 100),
      speed_kmh: Float64Array.from(fixes, ([, speed]) => speed),
      course_deg: Float64Array.from(fixes, () => 90),
      flags: Uint8Array.from(
        fixes,
        ([, , gap]) =>
          (gap === true ? trackFlags.gap_before : 0) |
          (ignition === 'on' ? trackFlags.ignition_known | trackFlags.ignition_on : 0),
      ),
      values: {},
    },
    3,
  );
}

it('a track is drawn in lines of one class of speed each, with none across a gap', () => {
  const { lines } = trackPicture(
    trackOf([
      [1, 20],
      [2, 25],
      [3, 70],
      [40, 70, true],
      [41, 95],
    ]),
    day,
    { ...look, limitKmh: 90 },
  );
  expect(
    lines.map(({ speedClass, overLimit, coordinates }) => [speedClass, overLimit, coordinates.length]),
  ).toEqual([
    [0, false, 2],
    [2, false, 2],
    [3, true, 2],
  ]);
});

it('a track that is coloured by status is drawn in lines of one status each, and its stops say how it stood', () => {
  const fixes: [number, number][] = [
    [0, 50],
    [10, 60],
    [20, 0],
    [22, 0],
    [40, 0],
    [41, 70],
    [42, 50],
  ];
  const draw = (ignition?: 'on') =>
    trackPicture(trackOf(fixes, ignition), day, { ...look, limitKmh: 55, colourBy: 'status' });
  const { lines, stops } = draw('on');
  expect(lines.map(({ status, overLimit, coordinates }) => [status, overLimit, coordinates.length])).toEqual([
    ['moving', false, 3],
    ['stopped', false, 2],
    ['idle', false, 3],
    ['moving', false, 2],
  ]);
  expect(stops.map((it) => it.status)).toEqual(['idle']);
  expect(draw().stops.map((it) => it.status)).toEqual(['stopped']);
});

it('a stop lasts from the first standing fix to the first moving one, a gap ends it, and short ones are left out', () => {
  const { stops } = trackPicture(
    trackOf([
      [0, 50],
      [10, 0],
      [20, 0],
      [25, 40],
      [26, 0],
      [27, 40],
      [30, 0],
      [34, 0],
      [60, 0, true],
      [61, 30],
    ]),
    day,
    look,
  );
  expect(stops.map(({ from, to }) => [from / MIN, to / MIN])).toEqual([
    [10, 25],
    [30, 34],
  ]);
});

it('the fix before the period is neither drawn nor does its stop begin before it', () => {
  const { lines, stops } = trackPicture(
    trackOf([
      [-30, 0],
      [10, 0],
      [11, 50],
      [12, 50],
    ]),
    day,
    look,
  );
  expect(lines).toHaveLength(1);
  expect(stops.map(({ from, to }) => [from / MIN, to / MIN])).toEqual([[0, 11]]);
});

it('the speed of a pixel is the highest in it, and none is known in a gap', () => {
  const column = speedColumn(
    trackOf([
      [0, 10],
      [2, 30],
      [2.5, 10],
      [90, 50, true],
    ]),
    day,
    100,
  );
  expect([...column.slice(0, 4)]).toEqual([10, 20, 30, Number.NaN]);
  expect(column[90]).toBe(50);
});

it('vehicles that move are counted until the present, and not once they are offline', () => {
  const counts = countMoving(
    [
      trackOf([
        [0, 50],
        [30, 50],
        [90, 50, true],
      ]),
      trackOf([
        [0, 0],
        [50, 20],
      ]),
      null,
    ],
    day,
    10,
    70 * MIN,
    { moving_speed_kmh: 5, offline_s: 600 },
  );
  expect([...counts]).toEqual([1, 1, 1, 1, 0, 1, 0, 0, Number.NaN, Number.NaN]);
});
