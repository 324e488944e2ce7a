import { expect, test } from 'vitest';
import { createDepotTime } from '../../../../renderer/format/depotTime.ts';
import { snapshotFileName } from '../../../../renderer/video/player/useSaves.ts';
import { createI18n, createTranslate } from '../../../../renderer/i18n/text.ts';
import { snapshotPlan, snapshotLabels } from '../../../../renderer/video/player/useSnapshot.ts';
import { snapshotToast } from '../../../../renderer/video/player/savedFiles.ts';

const time = createDepotTime('Europe/Berlin');
const at = Date.parse('2026-11-19T11:03:48.207Z');
/** Letters half as wide as high. */
const measure = (text: string, fontPx: number) => (text.length * fontPx) / 2;

test('a snapshot states user, time, speed and place', () => {
  const words = snapshotLabels(
    {
      vehicle: 'V 17',
      plate: 'AB 1234',
      channel: '1 Front',
      at,
      place: { lat: 52.52, lon: -13.4, speedKmh: 94.2, courseDeg: 40 },
      placeName: 'Ring road at Northgate',
    },
    time,
  );
  expect(words).toEqual([
    ['V 17', 'AB 1234', '1 Front'],
    ['Thu 19 Nov 2026 12:03:48.20 CET', '2026-11-19 11:03:48 UTC'],
    ['94 km/h', 'NE', 'Ring road at Northgate', '52.5200° N 13.4000° W'],
  ]);
});

test('a snapshot omits an unknown speed and place, and gives coordinates once', () => {
  const snapped = { vehicle: 'V 17', plate: null, channel: '1', at, place: null, placeName: '' };
  expect(snapshotLabels(snapped, time)[2]).toEqual([]);
  const place = { lat: 52.52, lon: 13.4, speedKmh: null, courseDeg: null };
  const named = snapshotLabels({ ...snapped, place, placeName: '52.5200° N 13.4000° E' }, time);
  expect(named[2]?.filter((it) => it !== '')).toEqual(['52.5200° N 13.4000° E']);
});

test('a snapshot draws one frame at its own size, with the words below it', () => {
  const plan = snapshotPlan(
    [{ width: 1280, height: 720 }],
    [['V 17', 'AB 1234'], [''], ['94 km/h']],
    measure,
  );
  expect(plan.places).toEqual([{ left: 0, top: 0, width: 1280, height: 720 }]);
  expect(plan.width).toBe(1280);
  expect(plan.strip).toMatchObject({ top: 720, fontPx: 24, lines: ['V 17 · AB 1234', '94 km/h'] });
  expect(plan.height).toBeGreaterThanOrEqual(720 + 2 * plan.strip.lineHeight);
});

test('a snapshot breaks the words where a small frame has no space for them, and keeps them readable', () => {
  const long = ['Thu 19 Nov 2026 12:03:48.20 CET', '2026-11-19 11:03:48 UTC'];
  const plan = snapshotPlan([{ width: 352, height: 288 }], [long], measure);
  expect(plan.strip.lines).toEqual(long);
  expect(plan.strip.fontPx).toBe(12);
  expect(plan.width).toBe(352);
});

test('a snapshot sets frames of several channels side by side, none over another', () => {
  const sizes = [
    { width: 640, height: 360 },
    { width: 352, height: 288 },
    { width: 640, height: 360 },
  ];
  const { places, width, strip } = snapshotPlan(sizes, [['V 17']], measure);
  expect(places.map(({ width: w, height }) => [w, height])).toEqual(sizes.map((it) => [it.width, it.height]));
  expect(width).toBe(1282);
  expect(strip.top).toBe(722);
  for (const [index, a] of places.entries())
    for (const b of places.slice(index + 1)) {
      const isApart =
        a.left + a.width <= b.left ||
        b.left + b.width <= a.left ||
        a.top + a.height <= b.top ||
        b.top + b.height <= a.top;
      expect(isApart).toBe(true);
    }
});

test('a snapshot names the frame by vehicle, channel and moment', () => {
  expect(snapshotFileName('V 17', 2, at, 'Europe/Berlin')).toBe('V 17 channel 2 2026-11-19 12-03-48.png');
  expect(snapshotFileName('V 17', null, at, 'Europe/Berlin')).toBe('V 17 2026-11-19 12-03-48.png');
});

test('a snapshot that was saved says where it is', () => {
  const t = createTranslate(createI18n());
  expect(snapshotToast(t, 'V 17.png', true).text).toBe('Saved to your downloads: V 17.png');
  expect(snapshotToast(t, 'V 17.png', '/home/o/V 17.png').text).toBe('Saved: /home/o/V 17.png');
});
