import { expect, it } from 'vitest';
import { createVehicleDay, type VehicleDay } from '../../../renderer/history/vehicleDay.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { createFakeStream } from '../stream/fakeStream.ts';

const DAY = 86_400_000;
const day = (vehicleId: string, number = 0): VehicleDay => ({
  ...{ vehicleId, from: number * DAY, to: (number + 1) * DAY },
});

function openDays() {
  const clock = createFakeClock();
  const read: string[] = [];
  const { stream, send, link } = createFakeStream();
  stream.start();
  const days = createVehicleDay({
    clock,
    stream,
    read({ vehicleId, from }) {
      read.push(`${vehicleId} ${from / DAY}`);
      return Promise.resolve(read.length);
    },
  });
  days.start();
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const late = (vehicle_id: string, at: number) =>
    send({
      topic: 'late_track',
      data: { vehicle_id, from: new Date(at).toISOString(), to: new Date(at).toISOString() },
    });
  return {
    days,
    late,
    lose: () => {
      link({ phase: 'lost', since: 0, nextTryAt: 0 });
      link({ phase: 'live', since: 0, lostBefore: 0 });
    },
    read: () => read.splice(0),
    want: async (wanted: VehicleDay | null) => {
      days.want(wanted);
      await settle();
    },
    pass: async (ms: number) => {
      clock.advance(ms);
      await settle();
    },
  };
}

it('a vehicle-day is read when it is wanted first, and is there at once when it is wanted again', async () => {
  const { days, want, read } = openDays();
  await want(day('a'));
  const { found } = days.store.getState();
  await want(day('b'));
  await want(day('a', 1));
  expect(read()).toEqual(['a 0', 'b 0', 'a 1']);
  days.want(day('a'));
  expect(days.store.getState()).toMatchObject({ found, load: { phase: 'ready' } });
  expect(read()).toEqual([]);
  await want(null);
  expect(days.store.getState()).toMatchObject({ wanted: null, found: null });
});

it('a vehicle-day is read again when something of it was stored: after a pause while it is wanted, else when it is', async () => {
  const { want, read, late, pass } = openDays();
  await want(day('a'));
  await want(day('b'));
  read();
  late('a', 5);
  late('b', 5);
  late('b', DAY);
  late('b', 7);
  expect(read()).toEqual([]);
  await pass(15_000);
  expect(read()).toEqual(['b 0']);
  await want(day('a'));
  expect(read()).toEqual(['a 0']);
});

it('after a lost connection nothing that was kept is trusted, and no more than four days are kept', async () => {
  const { want, read, lose, pass } = openDays();
  for (const number of [0, 1, 2, 3, 4]) await want(day('a', number));
  read();
  await want(day('a', 1));
  expect(read()).toEqual([]);
  await want(day('a', 0));
  expect(read()).toEqual(['a 0']);
  lose();
  await pass(0);
  expect(read()).toEqual(['a 0']);
  await want(day('a', 1));
  expect(read()).toEqual(['a 1']);
});
