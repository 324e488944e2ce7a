import { describe, expect, it } from 'vitest';
import type { Recording } from '../../../server/contract/video.ts';
import { causeOf } from '../../../server/contract/causeTexts.ts';
import { TerminalError, type Terminal } from '../../../server/video/terminals/terminal.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { addProfile, api, startVideoFixture } from './videoBench.ts';

const recording = (channel: number, from: string): Recording => ({
  channel,
  from,
  to: '2026-11-21T11:00:00.000Z',
  stream: 'sub',
  size_bytes: 1_000,
  alarm: false,
});

async function benchWith(recordings: NonNullable<Terminal['recordings']>) {
  const jt1078: Terminal = {
    fetchFragment: () => Promise.reject(new TerminalError('offline', 'The terminal is off line.')),
    isOnline: ({ terminal_id }) => terminal_id === '0700',
    recordings,
  };
  const bench = await startVideoFixture({ jt1078 });
  const profile_id = await addProfile(bench, { stream: 'sub' }, { kind: 'jt1078' });
  return { bench, profile_id, ask: askOf(bench, profile_id) };
}

function askOf(bench: Awaited<ReturnType<typeof startVideoFixture>>, profile_id: string) {
  return (more = '', name = 'reader') =>
    bench
      .as(name)
      .get(
        `${api}/profiles/${profile_id}/recordings?from=2026-11-21T10:00:00Z&to=2026-11-21T12:00:00Z${more}`,
      );
}

describe('the list of a terminal’s recordings', () => {
  it('the list of a terminal’s recordings is read from the terminal itself and sorted by channel, oldest first, for the requested channels', async () => {
    const asked: unknown[] = [];
    const { bench, profile_id, ask } = await benchWith(({ signal, ...order }) => {
      asked.push(order);
      expect(signal.aborted).toBe(false);
      return Promise.resolve([
        recording(2, '2026-11-21T10:05:00.000Z'),
        recording(1, '2026-11-21T10:30:00.000Z'),
        recording(9, '2026-11-21T10:00:00.000Z'),
        recording(1, '2026-11-21T10:10:00.000Z'),
      ]);
    });
    const vehicle_id = bench.vehicles.byTerminal('0700')?.vehicle_id;
    const { body } = await ask();
    expect(body).toMatchObject({ supported: true, asked_at: new Date(bench.clock.now()).toISOString() });
    expect(body.items.map((it: Recording) => [it.channel, it.from.slice(11, 16)])).toEqual([
      [1, '10:10'],
      [1, '10:30'],
      [2, '10:05'],
    ]);
    expect(asked).toEqual([
      {
        vehicle_id,
        terminal_id: '0700',
        connection: { stream: 'sub' },
        channels: [1, 2],
        from_ms: Date.parse('2026-11-21T10:00:00Z'),
        to_ms: Date.parse('2026-11-21T12:00:00Z'),
      },
    ]);
    expect((await ask('&channel=2')).body.items).toHaveLength(1);
    const wrong = await ask('&channel=3');
    expect([wrong.status, wrong.body.errors[0].path]).toEqual([400, 'channel']);
    expect((await ask('', 'outsider')).status).toBe(404);
    expect((await ask('', 'stranger')).status).toBe(403);
    const long = `${api}/profiles/${profile_id}/recordings?from=2026-11-20T10:00:00Z&to=2026-11-21T12:00:00Z`;
    expect((await bench.as('reader').get(long)).status).toBe(400);
  });

  it.each([
    ['offline', 503, 'terminal_offline'],
    ['busy', 503, 'terminal_offline'],
    ['refused', 502, 'terminal_refused'],
    ['declined', 502, 'terminal_refused'],
  ] as const)(
    'the list of a terminal’s recordings is not known when the terminal is %s',
    async (fault, status, code) => {
      const { ask } = await benchWith(() =>
        Promise.reject(new TerminalError(fault, 'The terminal says no.')),
      );
      expect((await ask()).body).toMatchObject({ status, code, detail: 'The terminal says no.' });
    },
  );

  it('the list of a terminal’s recordings that it refuses says why for other languages too', async () => {
    const { ask } = await benchWith(() =>
      Promise.reject(new TerminalError('refused', causeOf('terminal.order_refused', { result: 5 }))),
    );
    expect((await ask()).body).toMatchObject({
      detail: 'The terminal refuses the order: its answer was 5.',
      causes: [{ code: 'terminal.order_refused', values: { result: 5 } }],
    });
  });

  it('the list of a terminal’s recordings is unknown for an HTTP camera, and is all that has passed for a simulated one', async () => {
    const bench = await startVideoFixture({ clock: createFakeClock(Date.parse('2026-11-21T11:00:00Z')) });
    const http = await addProfile(bench, { url: 'http://192.0.2.1/' });
    expect((await askOf(bench, http)()).body).toMatchObject({ supported: false, items: [] });
    const simulated = await addProfile(bench, {}, { kind: 'simulated', terminal_id: '0800' });
    expect((await askOf(bench, simulated)()).body).toMatchObject({
      supported: true,
      items: [
        { channel: 1, from: '2026-11-21T10:00:00.000Z', to: '2026-11-21T11:00:00.000Z' },
        { channel: 2, size_bytes: null },
      ],
    });
  });
});

describe('a profile of a JT/T 1078 terminal', () => {
  it('a profile of a JT/T 1078 terminal shows its connection and whether the terminal is there now', async () => {
    const { bench, profile_id } = await benchWith(() => Promise.resolve([]));
    const path = `${api}/profiles/${profile_id}`;
    expect((await bench.as('dealer').get(path)).body).toMatchObject({
      kind: 'jt1078',
      connection: { stream: 'sub' },
      online: true,
    });
    const wrong = await bench.as('dealer').call('PATCH', path, { connection: { url: 'http://192.0.2.1/' } });
    expect([wrong.status, wrong.body.errors[0].path]).toEqual([400, 'connection']);
    const changed = await bench.as('dealer').call('PATCH', path, { connection: { utc_offset_min: 60 } });
    expect(changed.body.connection).toEqual({ stream: 'sub', utc_offset_min: 60 });
    const other = await addProfile(bench, {}, { kind: 'jt1078', terminal_id: '0800' });
    expect((await bench.as('dealer').get(`${api}/profiles/${other}`)).body.online).toBe(false);
  });
});
