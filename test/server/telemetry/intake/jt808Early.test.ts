import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { words, type FakePosition } from '../../../support/fakeJt808.ts';
import { openJt808TestListener, terminalId } from './jt808TestListener.ts';

const fix: FakePosition = { lat: 56.95, lon: 24.1, time_ms: Date.UTC(2026, 10, 21, 4, 43) };

describe('before the authentication', () => {
  test('nothing else is taken, and the terminal is informed', async () => {
    const listener = await openJt808TestListener();
    const terminal = await listener.connect();
    expect(await terminal.heartbeat()).toBe(1);
    expect(await terminal.position(fix)).toBe(1);
    expect(await terminal.emit(0x0801, Buffer.alloc(100))).toBe(1);
    const parts = terminal.sendParts(0x0704, Buffer.alloc(200), 100);
    for (const serial of parts)
      expect((await terminal.next(0x8001)).body).toEqual(
        Buffer.concat([words(serial, 0x0704), Buffer.of(1)]),
      );
    expect(listener.listener.messages.latest().at(-2)).toMatchObject({
      note: `0x0200 position of ${terminalId}: before its authentication, not taken`,
      terminal_id: terminalId,
      isUnreadable: false,
    });
    expect((await terminal.register()).result).toBe(0);
    expect(await terminal.position(fix)).toBe(1);
    expect(await terminal.authenticate()).toBe(0);
    expect(listener.taken).toEqual([]);
    expect(listener.heard).toEqual([]);
    expect(await terminal.position(fix)).toBe(0);
  });

  test('an answer is not answered', async () => {
    const listener = await openJt808TestListener();
    const terminal = await listener.connect();
    terminal.send(0x0001, Buffer.concat([words(0, 0x8300), Buffer.of(0)]));
    expect(await terminal.authenticate()).toBe(0);
    expect(terminal.received).toHaveLength(1);
  });

  test('a terminal of no vehicle that never registers is listed as unknown', async () => {
    const listener = await openJt808TestListener();
    const terminal = await listener.connect({ phone: '000000000077' });
    expect(await terminal.position(fix)).toBe(1);
    expect(listener.taken).toMatchObject([{ terminal_id: '77', place: null }]);
    expect(listener.listener.messages.ofTerminal('77')).toMatchObject({
      note: '0x0200 position of 77: before its authentication, not taken',
      outcomes: { unknown: 1 },
    });
  });

  test('a known terminal is accepted before the authentication, with any code', async () => {
    const listener = await openJt808TestListener();
    const terminal = await listener.connect();
    expect(await terminal.authenticate('of another platform')).toBe(0);
    expect(await terminal.position(fix)).toBe(0);
  });

  test('a terminal of no vehicle is refused, and listed as unknown', async () => {
    const listener = await openJt808TestListener();
    const terminal = await listener.connect({ phone: '000000000077' });
    expect(await terminal.register()).toEqual({ result: 4, code: '' });
    expect(await terminal.authenticate()).toBe(1);
    expect(listener.taken).toMatchObject([
      { terminal_id: '77', place: null },
      { terminal_id: '77', place: null },
    ]);
    expect(listener.links.find('77')).toBeNull();
    listener.known.add('77');
    await terminal.logOn();
    expect(await terminal.position(fix)).toBe(0);
  });

  test('terminals of no vehicle that register again and again do not flood the log', async () => {
    const lines: string[] = [];
    const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
    const listener = await openJt808TestListener({ status: 'stored' }, log);
    for (let at = 0; at < 15; at += 1) {
      const terminal = await listener.connect({ phone: '000000000077' });
      await terminal.register();
    }
    expect(lines.filter((line) => line.includes('registration of an unknown jt808 terminal'))).toHaveLength(
      10,
    );
  });

  test('half a minute is enough', async () => {
    const listener = await openJt808TestListener();
    const stranger = await listener.connect();
    const terminal = await listener.come();
    await stranger.register();
    listener.clock.advance(30_000);
    await stranger.ended;
    expect(await terminal.heartbeat()).toBe(0);
  });
});
