import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createCollection, type Change } from '../../../../server/store/documents/collection.ts';
import { openDocument } from '../../../../server/store/documents/Document.ts';
import { createRecoveryLog } from '../../../../server/store/documents/recoveryLog.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

const bus = z.object({
  bus_id: z.string(),
  seats: z.number(),
  version: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
});
type Bus = z.infer<typeof bus>;

/** Buses a, b and c with 10, 20 and 30 seats, a count of the updates, and what was announced. */
async function openBuses(onListenerFault?: (error: unknown) => void) {
  const clock = { at: Date.UTC(2026, 10, 21), now: () => clock.at };
  const log = pino({ level: 'silent' });
  const folder = await temporaryFolder();
  const recoveries = await createRecoveryLog(folder, { log, clock });
  const schema = z.object({ items: z.record(z.string(), bus) });
  const options = {
    folder,
    name: 'buses',
    schema,
    version: 1,
    initial: { items: {} },
    recoveries,
    log,
    clock,
  };
  const document = await openDocument(options);
  onTestFinished(async () => {
    await document.close();
    await recoveries.close();
  });
  const counted = {
    updates: 0,
    get data() {
      return document.data;
    },
    update<R>(mutate: Parameters<typeof document.update<R>>[0]) {
      counted.updates += 1;
      return document.update(mutate);
    },
    close: () => document.close(),
  };
  const buses = createCollection<Bus>(counted, (it) => it.bus_id, clock, onListenerFault);
  await buses.add(['a', 'b', 'c'].map((bus_id, at) => ({ bus_id, seats: 10 * (at + 1) })));
  const announced: Change<Bus>[][] = [];
  buses.onChange((changes) => announced.push(changes));
  counted.updates = 0;
  clock.at += 1_000;
  return { clock, buses, counted, announced };
}

describe('a change of many resources', () => {
  it('a change of many resources is one write and one announcement, in the order of the ids, without what is not there or stays', async () => {
    const { buses, counted, announced } = await openBuses();
    const changed = await buses.changeMany(['c', 'nobody', 'b', 'a', 'c'], (old) =>
      old.bus_id === 'b' ? old : { ...old, seats: old.seats + 1 },
    );
    expect(counted.updates).toBe(1);
    expect(changed.map(({ bus_id, seats, version }) => [bus_id, seats, version])).toEqual([
      ['c', 31, 2],
      ['a', 11, 2],
    ]);
    expect(announced).toHaveLength(1);
    expect(announced[0]?.map((it) => [it.before?.seats, it.after?.seats])).toEqual([
      [30, 31],
      [10, 11],
    ]);
    expect(buses.all().map((it) => it.version)).toEqual([2, 1, 2]);
  });

  it('a change of many resources of which one is refused changes none', async () => {
    const { buses, announced } = await openBuses();
    const refused = buses.changeMany(['a', 'b'], (old) => {
      if (old.bus_id === 'b') throw new Error('not this one');
      return { ...old, seats: 0 };
    });
    await expect(refused).rejects.toThrow('not this one');
    expect(buses.all().map((it) => it.seats)).toEqual([10, 20, 30]);
    expect(announced).toEqual([]);
  });

  it('a change of many resources that changes nothing is not published', async () => {
    const { buses, announced } = await openBuses();
    expect(await buses.changeMany(['a', 'b'], (old) => old)).toEqual([]);
    expect(announced).toEqual([]);
  });

  it('a change of many resources knows the time that it bears', async () => {
    const { buses, clock } = await openBuses();
    const times: string[] = [];
    const revise = (old: Bus, now: string) => {
      times.push(now);
      return { ...old, seats: 1 };
    };
    await buses.change('a', revise);
    await buses.changeMany(['b'], revise);
    const now = new Date(clock.at).toISOString();
    expect(times).toEqual([now, now]);
    expect([buses.get('a')?.updated_at, buses.get('b')?.updated_at]).toEqual([now, now]);
  });
});

describe('a listener that throws', () => {
  it('neither fails the change, which is stored, nor keeps it from the other listeners', async () => {
    const faults: unknown[] = [];
    const { buses } = await openBuses((error) => faults.push(error));
    const fault = new Error('the listener broke');
    const heard: string[] = [];
    buses.onChange(() => {
      throw fault;
    });
    buses.onChange((changes) => heard.push(...changes.map((it) => it.after?.bus_id ?? 'gone')));
    await expect(buses.change('a', (old) => ({ ...old, seats: 1 }))).resolves.toMatchObject({ seats: 1 });
    await buses.remove('b');
    expect(heard).toEqual(['a', 'gone']);
    expect(faults).toEqual([fault, fault]);
  });
});
