import { expect, it } from 'vitest';
import { clipAt, clipsOf } from '../../../renderer/history/dayClips.ts';
import type { TaskStatus } from '../../../server/contract/video.ts';
import { sampleTask } from '../samples.ts';

const BEGIN = Date.UTC(2026, 10, 17);
const HOUR = 3_600_000;
const day = { from: BEGIN, to: BEGIN + 24 * HOUR };
const iso = (hour: number) => new Date(BEGIN + hour * HOUR).toISOString();
const task = (vehicle_id: string, from: number, to: number, status: TaskStatus = 'done', channel = 1) =>
  sampleTask({
    ...{ task_id: `${vehicle_id} ${from} ${channel}`, vehicle_id, channel, status },
    ...{ from: iso(from), to: iso(to) },
  });
const nothingKept = () => false;

it('the clips of a day are those that show something of it, by vehicle and span, oldest first', () => {
  const tasks = [
    task('a', 9, 9.1, 'done', 1),
    task('a', 9, 9.1, 'done', 2),
    task('b', 8, 8.1),
    task('a', -0.05, 0.05),
    task('a', 24, 24.1),
    task('a', 10, 10.1, 'cancelled'),
  ];
  const found = (vehicleIds: readonly string[]) =>
    clipsOf(tasks, nothingKept, day, vehicleIds).map((it) => [it.vehicleId, (it.from - BEGIN) / HOUR]);
  expect(found([])).toEqual([
    ['a', -0.05],
    ['b', 8],
    ['a', 9],
  ]);
  expect(found(['b'])).toEqual([['b', 8]]);
});

it('of clips that show an instant the one of the vehicle that is looked at is taken, with pictures where there are any', () => {
  const clips = clipsOf(
    [task('a', 8, 8.2, 'failed'), task('a', 8, 8.3, 'waiting'), task('a', 7.9, 8.1), task('b', 8, 8.4)],
    nothingKept,
    day,
    [],
  );
  const at = (hour: number, vehicleId: string) => clipAt(clips, BEGIN + hour * HOUR, vehicleId);
  expect(at(8.05, 'a')).toMatchObject({ vehicleId: 'a', phase: 'ready' });
  expect(at(8.15, 'a')).toMatchObject({ vehicleId: 'a', phase: 'under_way' });
  expect(at(8.15, 'b')).toMatchObject({ vehicleId: 'b' });
  expect(at(12, 'a')).toBeNull();
});
