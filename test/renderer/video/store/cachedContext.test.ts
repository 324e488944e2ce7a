import { expect, test } from 'vitest';
import {
  isOfMoment,
  readMoment,
  spanOf,
  writeMoment,
} from '../../../../renderer/video/store/cachedContext.ts';
import { trackFix } from '../player/trackFix.ts';
import { sampleTask } from '../sampleTask.ts';

test('the cached context of a clip gives back the track and the events that were kept', () => {
  const moment = { positions: [trackFix(0), trackFix(1, { alarms: ['sos'] })], events: [] };
  expect(readMoment(writeMoment(moment))).toEqual(moment);
});

test('the cached context of a clip leaves out what a terminal adds of its own, and thins a track of many hours to its ends and what lies between', () => {
  const positions = Array.from({ length: 20_000 }, (_, second) =>
    trackFix(second, { attributes: { note: 'x'.repeat(500) } }),
  );
  const text = writeMoment({ positions, events: [] });
  expect(text.length).toBeLessThan(2_000_000);
  const kept = readMoment(text)?.positions ?? [];
  expect(kept.length).toBeGreaterThan(3_000);
  expect([kept[0]?.time, kept.at(-1)?.time]).toEqual([positions[0]?.time, positions.at(-1)?.time]);
  const times = kept.map((it) => Date.parse(it.time));
  const steps = times.slice(1).map((it, index) => it - (times[index] ?? 0));
  expect(Math.max(...steps)).toBeLessThanOrEqual(6_000);
  expect(Math.min(...steps)).toBeGreaterThan(0);
});

test('the cached context of a clip takes what cannot be read for nothing', () => {
  expect(readMoment('{"format":1,"positions":[')).toBeNull();
  expect(readMoment('{"format":2,"positions":[],"events":[]}')).toBeNull();
  expect(readMoment('{"format":1,"positions":[{"lat":91}],"events":[]}')).toBeNull();
});

test('the cached context of a clip is of a vehicle and a period, whichever way its times are written', () => {
  const clip = sampleTask({ from: '2026-11-19T11:03:18Z' });
  const span = spanOf(sampleTask());
  expect(isOfMoment(clip, span)).toBe(true);
  expect(isOfMoment({ ...clip, to: '2026-11-19T11:04:19Z' }, span)).toBe(false);
  expect(isOfMoment({ ...clip, vehicle_id: 'another' }, span)).toBe(false);
});
