import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../../server/telemetry/terminalReport.ts';
import { positionBody, words, type FakePosition } from '../../../support/fakeJt808.ts';
import { openJt808TestListener } from './jt808TestListener.ts';

const at_ms = Date.UTC(2026, 10, 21, 4, 43);
const fix: FakePosition = { lat: 56.95, lon: 24.1, time_ms: at_ms };

/** An outcome that is known when the test says so. */
function later() {
  let settle: (outcome: Outcome) => void = () => undefined;
  const outcome = new Promise<Outcome>((resolve) => (settle = resolve));
  return { answer: () => outcome, settle };
}

describe('a picture', () => {
  const head = Buffer.from('0000007b00000001', 'hex');
  const picture = Buffer.concat([head, positionBody(fix), Buffer.alloc(2_000, 0xee)]);
  const isTaken = (body: Buffer | undefined) => expect(body?.toString('hex')).toBe('0000007b');

  test('a picture is taken when its position is stored, not before', async () => {
    const store = later();
    const listener = await openJt808TestListener(store.answer);
    const terminal = await listener.come();
    terminal.send(0x0801, picture.subarray(0, 1_000));
    await expect.poll(() => listener.taken.length).toBe(1);
    expect(await terminal.heartbeat()).toBe(0);
    expect(terminal.received.filter((it) => it.id === 0x8800)).toEqual([]);
    store.settle({ status: 'stored' });
    isTaken((await terminal.next(0x8800)).body);
    expect(listener.taken).toMatchObject([
      { time_ms: at_ms, place: { lat: 56.95 }, attributes: { media_id: 123 } },
    ]);
  });

  test('a picture in parts has each part answered, and is taken when all are here', async () => {
    const listener = await openJt808TestListener();
    const terminal = await listener.come();
    const serials = terminal.sendParts(0x0801, picture, 500, [3]);
    for (const serial of serials.filter((_, at) => at !== 2))
      expect((await terminal.next(0x8001)).body).toEqual(
        Buffer.concat([words(serial, 0x0801), Buffer.of(0)]),
      );
    expect(await terminal.heartbeat()).toBe(0);
    expect(listener.taken).toEqual([]);
    // What is lost is asked for again; the terminal sends it.
    listener.clock.advance(2_500);
    listener.clock.advance(2_500);
    isTaken((await terminal.next(0x8800)).body);
    expect(listener.taken).toMatchObject([{ time_ms: at_ms, attributes: { media_id: 123 } }]);
    expect(terminal.received.filter((it) => it.id === 0x8003)).toHaveLength(1);
  });

  test('a picture that could not be stored is not taken: the terminal sends it again', async () => {
    let works = false;
    const listener = await openJt808TestListener(() =>
      works ? { status: 'stored' } : { status: 'failed', code: 'disk_full', detail: 'The disk is full.' },
    );
    const terminal = await listener.come();
    terminal.send(0x0801, picture.subarray(0, 1_000));
    await expect.poll(() => listener.taken.length).toBe(1);
    expect(await terminal.heartbeat()).toBe(0);
    works = true;
    terminal.send(0x0801, picture.subarray(0, 1_000));
    isTaken((await terminal.next(0x8800)).body);
    expect(terminal.received.filter((it) => it.id === 0x8800)).toHaveLength(1);
  });

  test('a picture that does not say which it is, is not understood', async () => {
    const listener = await openJt808TestListener();
    const terminal = await listener.come();
    expect(await terminal.emit(0x0801, Buffer.alloc(7))).toBe(2);
    expect(listener.taken).toMatchObject([{ undecodable: expect.stringContaining('0x0801') }]);
  });
});
