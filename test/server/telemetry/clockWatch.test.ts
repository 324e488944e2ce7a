import { terminalKey } from '../../../server/contract/sameKeys.ts';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { createClockWatch } from '../../../server/telemetry/clockWatch.ts';
import { type Accept, emptyReport } from '../../../server/telemetry/terminalReport.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

const hour = 3_600_000;
const origin = { protocol: 'wialon', address: null };

function watchTerminal() {
  const clock = createFakeClock();
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  const offsets = new Map([['7', 0]]);
  const watch = createClockWatch({ clock, log, offsetOf: (id) => offsets.get(terminalKey(id)) ?? null });
  const taken: number[] = [];
  const accept: Accept = watch.over((reports) => {
    taken.push(reports.length);
    return Promise.resolve(reports.map(() => ({ status: 'stored' })));
  });
  return {
    watch,
    offsets,
    taken,
    published: () => lines.map((it) => JSON.parse(it) as Record<string, unknown>),
    /** So many messages half a minute apart, each with stamps that are so far off. */
    send: async (count: number, ...off_ms: number[]) => {
      for (let at = 0; at < count; at += 1) {
        clock.advance(30_000);
        const reports = off_ms.map((off) => ({
          ...emptyReport,
          terminal_id: '7',
          time_ms: clock.now() + off,
        }));
        await accept(reports, origin);
      }
    },
  };
}

describe('the watch over the clocks', () => {
  test('the watch over the clocks suggests a setting for a vehicle, and logs it once', async () => {
    const { watch, offsets, published, send } = watchTerminal();
    await send(4, 8 * hour);
    expect(watch.suggested('7')).toBeNull();
    await send(20, 8 * hour);
    expect(watch.suggested('7')).toBe(8 * 3_600);
    expect(watch.suggested('007')).toBe(8 * 3_600);
    expect(published()).toMatchObject([{ terminal_id: '7', clock_offset_s: 28_800, set_to_s: 0 }]);
    offsets.set('7', 28_800);
    expect(watch.suggested('7')).toBeNull();
    await send(10, 0);
    expect(watch.suggested('7')).toBe(0);
    expect(published()).toHaveLength(2);
  });

  test('the watch over the clocks says nothing of right clocks, and nothing of a terminal that no vehicle has', async () => {
    const { watch, offsets, published, send } = watchTerminal();
    await send(10, -3_000);
    expect(watch.suggested('7')).toBeNull();
    offsets.clear();
    await send(10, 8 * hour);
    expect(watch.suggested('7')).toBeNull();
    expect(published()).toEqual([]);
  });

  test('the watch over the clocks keeps nothing of a terminal without a vehicle: any client may use any name', async () => {
    const { watch, offsets, send } = watchTerminal();
    offsets.clear();
    await send(20, 8 * hour);
    offsets.set('7', 0);
    expect(watch.suggested('7')).toBeNull();
    expect(watch.suggestions()).toEqual([]);
  });

  test('the watch over the clocks goes by the newest of what comes at once: the others were kept back', async () => {
    const { watch, taken, send } = watchTerminal();
    await send(8, -2 * hour, 1 * hour, -1 * hour);
    expect(watch.suggested('7')).toBe(3_600);
    expect(taken).toEqual(Array.from({ length: 8 }, () => 3));
  });
});
