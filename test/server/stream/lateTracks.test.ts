import { expect, it } from 'vitest';
import { streamMessages } from '../../../server/contract/stream.ts';
import type { Viewer } from '../../../server/http/viewer.ts';
import { createLateTracks } from '../../../server/stream/lateTracks.ts';
import type { StreamItem } from '../../../server/stream/streamItems.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

const MIN = 60_000;
const [van, bus] = ['8f1c1d6e-6a0f-4f7e-9d39-0b7f5a3f3c11', '8f1c1d6e-6a0f-4f7e-9d39-0b7f5a3f3c12'];

it('what is stored late is published once a second, by vehicle, from its first to its last position', () => {
  const clock = createFakeClock();
  const published: StreamItem[] = [];
  const late = createLateTracks({
    clock,
    publish: (items) => published.push(...items),
    sees: (_viewer, id) => id === van,
  });
  const ago = (vehicle_id: string, minutes: number) => ({ vehicle_id, time_ms: clock.now() - minutes * MIN });
  const at = (minutes: number) => new Date(clock.now() - minutes * MIN).toISOString();
  const [newest, last, first] = [at(1), at(5), at(600)];
  late.stored([ago(van, 1), ago(van, 5), ago(bus, 2)]);
  late.stored([ago(bus, 30)]);
  late.stored([ago(van, 600), ago(van, 30)]);
  expect(published).toEqual([]);
  clock.advance(1_000);
  const bodies = published.map((it) => streamMessages.late_track.parse(JSON.parse(it.json())));
  expect(bodies).toEqual([
    { vehicle_id: van, from: first, to: last },
    { vehicle_id: bus, from: bodies[1]?.to, to: bodies[1]?.to },
  ]);
  expect(newest > last).toBe(true);
  expect(published.map((it) => it.sees({} as Viewer))).toEqual([true, false]);
  clock.advance(10_000);
  late.stored([ago(van, 1)]);
  clock.advance(10_000);
  expect(published).toHaveLength(2);
});
