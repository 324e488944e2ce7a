import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openMemoryStore } from '../../../server/store/memoryStore.ts';
import type { UnknownTerminalRow } from '../../../server/store/telemetry/rows.ts';
import type { IncomingReport } from '../../../server/telemetry/admission.ts';
import { emptyReport } from '../../../server/telemetry/terminalReport.ts';
import { createUnknownTerminals } from '../../../server/telemetry/unknownTerminals.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

function openUnknownTerminals(options: { isBroken?: () => boolean } = {}) {
  const clock = createFakeClock();
  const store = openMemoryStore(clock);
  const published: UnknownTerminalRow[][] = [];
  const unknown = createUnknownTerminals({
    store: {
      ...store,
      noteUnknown: (rows) =>
        options.isBroken?.() === true ? Promise.reject(new Error('broken')) : store.noteUnknown(rows),
    },
    clock,
    log: pino({ level: 'silent' }),
    onUnknownTerminal: (rows) => published.push(rows),
  });
  const unknownTerminal = (
    terminal_id: string,
    place: { lat: number; lon: number } | null = null,
  ): IncomingReport => ({
    report: { ...emptyReport, terminal_id, place },
    origin: { protocol: 'osmand', address: '10.0.0.7' },
    received_ms: clock.now(),
  });
  /** An act in which vehicles get these terminals. */
  async function forget(terminalIds: string[]): Promise<void> {
    const writes: (() => Promise<void>)[] = [];
    unknown.forget(terminalIds, {
      write(op, args, then) {
        expect(op).toBe('forgetUnknown');
        writes.push(() => store.forgetUnknown(args as string[]).then(then as () => void));
      },
    });
    for (const write of writes) await write();
  }
  return { store, clock, published, unknown, unknownTerminal, forget };
}

test('messages of unknown terminals are stored once a second and published after the commit', async () => {
  const { store, clock, published, unknown, unknownTerminal } = openUnknownTerminals();
  const first_seen_ms = clock.now();
  unknown.noted([unknownTerminal('7', { lat: 1, lon: 2 }), unknownTerminal('8')]);
  clock.advance(500);
  unknown.noted([unknownTerminal('7')]);
  expect(await store.unknownTerminals()).toEqual([]);
  clock.advance(500);
  await expect.poll(() => published.length).toBe(1);
  const seven = {
    terminal_id: '7',
    protocol: 'osmand',
    first_seen_ms,
    last_seen_ms: first_seen_ms + 500,
    message_count: 2,
    address: '10.0.0.7',
    lat: 1,
    lon: 2,
  };
  expect(published[0]).toEqual([
    seven,
    expect.objectContaining({ terminal_id: '8', message_count: 1, lat: null }),
  ]);
  expect(await store.unknownTerminals()).toEqual(published[0]);

  clock.advance(60_000);
  unknown.noted([unknownTerminal('7')]);
  clock.advance(1_000);
  await expect.poll(() => published.length).toBe(2);
  const [newest] = await store.unknownTerminals();
  expect(newest).toEqual({ ...seven, last_seen_ms: first_seen_ms + 61_000, message_count: 3 });
  expect(published[1]).toEqual([newest]);
});

test('a terminal that got a vehicle is no longer listed as unknown, whatever zeros and letter case it sent', async () => {
  const { store, clock, published, unknown, unknownTerminal, forget } = openUnknownTerminals();
  unknown.noted([
    unknownTerminal('0042'),
    unknownTerminal('42'),
    unknownTerminal('ab1'),
    unknownTerminal('420'),
  ]);
  clock.advance(1_000);
  await expect.poll(() => published.length).toBe(1);
  unknown.noted([unknownTerminal('00042')]);
  await forget(['042', 'AB1']);
  clock.advance(1_000);
  await settled();
  await unknown.close();
  expect((await store.unknownTerminals()).map((it) => it.terminal_id)).toEqual(['420']);
});

test('an unknown terminal whose message is just being stored is forgotten as well', async () => {
  const { store, clock, unknown, unknownTerminal, forget } = openUnknownTerminals();
  unknown.noted([unknownTerminal('7')]);
  clock.advance(1_000);
  await forget(['7']);
  expect(await store.unknownTerminals()).toEqual([]);
});

test('messages of unknown terminals that are not stored yet are stored at the end', async () => {
  const { store, unknown, unknownTerminal } = openUnknownTerminals();
  unknown.noted([unknownTerminal('7')]);
  await unknown.close();
  expect(await store.unknownTerminals()).toHaveLength(1);
});

test('a store that fails once is tried again at the next message of an unknown terminal', async () => {
  let isBroken = true;
  const { store, clock, published, unknown, unknownTerminal } = openUnknownTerminals({
    isBroken: () => isBroken,
  });
  unknown.noted([unknownTerminal('7')]);
  clock.advance(1_000);
  await settled();
  isBroken = false;
  unknown.noted([unknownTerminal('7')]);
  clock.advance(1_000);
  await expect.poll(() => published.length).toBe(1);
  expect(await store.unknownTerminals()).toMatchObject([{ terminal_id: '7', message_count: 1 }]);
});

test('a long terminal name is counted by its beginning, from the first message on', async () => {
  const { clock, published, unknown, unknownTerminal } = openUnknownTerminals();
  unknown.noted([unknownTerminal(`${'x'.repeat(64)}1`), unknownTerminal(`${'x'.repeat(64)}2`)]);
  clock.advance(1_000);
  await expect.poll(() => published.length).toBe(1);
  expect(published[0]).toMatchObject([{ terminal_id: 'x'.repeat(64), message_count: 2 }]);
});
