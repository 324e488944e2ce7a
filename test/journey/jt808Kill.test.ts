import { expect, test } from 'vitest';
import { event } from '../../server/contract/events.ts';
import { track } from '../../server/contract/positions.ts';
import { batchBody, connectFakeJt808, type FakeJt808, type FakePosition } from '../support/fakeJt808.ts';
import { wholeList } from './depot.ts';
import { startKillableHost } from './killableHost.ts';

const second = 1_000;
const day = 24 * 3_600 * second;
const kills = 5;
const terminals = 8;
const maxInBatch = 30;
const partBytes = 400;

/** What a terminal sends as its so-manyth, in one message; always the same. */
function planOf(terminal: number, start_ms: number): (at: number) => FakePosition[] {
  const fix = (at: number): FakePosition => ({
    time_ms: start_ms + at * second,
    lat: 22.5 + at * 1e-5,
    lon: 113.9 + terminal * 0.01,
    speed_kmh: at % 120,
    alarm: at % 13 === terminal ? 1 : 0,
  });
  return (at) =>
    Array.from({ length: at % 3 === 0 ? 1 : 1 + (at % maxInBatch) }, (_, more) => fix(at + more));
}

/** In parts where it is longer than one; resolves when each part has its answer. */
async function tellBatch(line: FakeJt808, fixes: readonly FakePosition[]): Promise<void> {
  const body = batchBody(fixes, 1);
  if (body.length <= partBytes) {
    expect(await line.emit(0x0704, body)).toBe(0);
    return;
  }
  const unanswered = new Set(line.sendParts(0x0704, body, partBytes));
  while (unanswered.size > 0) {
    const { body: answer } = await line.next(0x8001);
    expect([answer.readUInt16BE(2), answer[4]]).toEqual([0x0704, 0]);
    unanswered.delete(answer.readUInt16BE(0));
  }
}

test('kills lose no acknowledged position of JT/T 808 terminals, and double none', async () => {
  const ids = Array.from({ length: terminals }, (_, at) => `13800001${200 + at}`);
  const host = await startKillableHost(ids);

  // So far back that the longest run does not come to the present, and late: alarms fire all the same.
  const start_ms = Math.floor(Date.now() / second) * second - 30 * day;
  const acknowledged = ids.map(() => 0);
  const sum = () => acknowledged.reduce((all, it) => all + it, 0);
  let enough = Number.POSITIVE_INFINITY;
  let onAnswer = (): void => undefined;

  /** Sends message after message until the line breaks or it is enough; what was not answered is sent again. */
  async function talk(port: number, terminal: number, phone: string): Promise<void> {
    const line = await connectFakeJt808({ port, phone, form: terminal % 2 === 0 ? '2019' : '2013' });
    await line.logOn();
    const plan = planOf(terminal, start_ms);
    // At least one: what the host has stored and could not answer any more is answered now.
    do {
      const at = acknowledged[terminal] ?? 0;
      const fixes = plan(at);
      const [only] = fixes;
      if (fixes.length === 1 && only !== undefined) expect(await line.position(only)).toBe(0);
      else await tellBatch(line, fixes);
      acknowledged[terminal] = at + fixes.length;
      onAnswer();
    } while (sum() < enough);
    line.abort();
  }

  const talkAll = (port: number) => Promise.allSettled(ids.map((id, at) => talk(port, at, id)));
  for (let killed = 0; killed < kills; killed += 1) {
    const { jt808Port } = await host.ready();
    let answers = 20 + Math.floor(Math.random() * 100);
    const heard = new Promise<void>((resolve) => {
      onAnswer = () => {
        answers -= 1;
        if (answers === 0) resolve();
      };
    });
    const talks = talkAll(jt808Port);
    await Promise.race([heard, talks]);
    await host.kill();
    for (const one of await talks)
      expect(String(one.status === 'rejected' && one.reason)).toMatch(/ended|over|ECONN/);
    host.restart();
  }
  enough = sum() + 200;
  const { jt808Port } = await host.ready();
  expect((await talkAll(jt808Port)).map((it) => it.status)).toEqual(ids.map(() => 'fulfilled'));

  const dealer = await host.dealer();
  const events = await wholeList(dealer, '/api/v1/events?kind=sos', event);
  const period = `from=${new Date(start_ms).toISOString()}&to=${new Date(start_ms + day).toISOString()}`;
  for (const [terminal, id] of ids.entries()) {
    const { positions } = track.parse((await dealer.get(`/api/v1/vehicles/${id}/track?${period}`)).body);
    const moments = Array.from({ length: acknowledged[terminal] ?? 0 }, (_, at) => at);
    expect(
      positions.map(({ time, lat, lon, speed_kmh }) => ({ time_ms: Date.parse(time), lat, lon, speed_kmh })),
    ).toEqual(
      moments.map((at) => ({
        time_ms: start_ms + at * second,
        lat: expect.closeTo(22.5 + at * 1e-5, 6) as number,
        lon: expect.closeTo(113.9 + terminal * 0.01, 6) as number,
        speed_kmh: at % 120,
      })),
    );
    const published = events.filter((it) => it.vehicle_id === positions[0]?.vehicle_id).map((it) => it.time);
    expect(published.map((it) => Date.parse(it)).sort((a, b) => a - b)).toEqual(
      moments.filter((at) => at % 13 === terminal).map((at) => start_ms + at * second),
    );
  }
  expect(sum()).toBeGreaterThan(kills * 20);
  await host.end();
}, 240_000);
