import { expect, test } from 'vitest';
import { event } from '../../server/contract/events.ts';
import { track } from '../../server/contract/positions.ts';
import { connectFakeWialon, longBody, type WialonData } from '../support/fakeWialon.ts';
import { wholeList } from './depot.ts';
import { startKillableHost } from './killableHost.ts';

const second = 1_000;
const day = 24 * 3_600 * second;
const kills = 3;
const terminals = 6;
const max = 20;

/** What a terminal sends as its so-manyth, in one packet; always the same. */
function planOf(terminal: number, start_ms: number) {
  const fix = (at: number): WialonData => ({
    time_ms: start_ms + at * second,
    lat: 52.5 + at * 1e-5,
    lon: 13.4 + terminal * 0.01,
    params: [['SOS', 1, at % 11 === terminal ? 1 : 0]],
  });
  return (at: number) => Array.from({ length: 1 + (at % max) }, (_, index) => fix(at + index));
}

test('kills lose no acknowledged position of Wialon IPS terminals, and double none', async () => {
  const ids = Array.from({ length: terminals }, (_, at) => `35630704244${100 + at}`);
  const host = await startKillableHost(ids);

  // So far back that the longest run does not come to the present, and late: alarms fire all the same.
  const start_ms = Math.floor(Date.now() / second) * second - 30 * day;
  const acknowledged = ids.map(() => 0);
  let enough = Number.POSITIVE_INFINITY;
  let onAnswer = (): void => undefined;

  /** Sends packet after packet until the line breaks or it is enough; what was not answered is sent again. */
  async function talk(port: number, terminal: number): Promise<void> {
    const line = await connectFakeWialon(port, terminal % 2 === 0 ? '2.0' : '1.1');
    const plan = planOf(terminal, start_ms);
    expect(await line.logIn(ids[terminal] ?? '')).toBe('#AL#1');
    // At least one: what the host has stored and could not answer any more is answered now.
    do {
      const at = acknowledged[terminal] ?? 0;
      const fixes = plan(at);
      const [only] = fixes;
      const answer =
        fixes.length === 1 && only !== undefined
          ? await line.ask('D', longBody(only))
          : await line.ask('B', fixes.map(longBody).join('|'));
      expect(answer).toBe(fixes.length === 1 ? '#AD#1' : `#AB#${fixes.length}`);
      acknowledged[terminal] = at + fixes.length;
      onAnswer();
    } while (acknowledged.reduce((sum, it) => sum + it, 0) < enough);
    line.abort();
  }

  const talkAll = (port: number) => Promise.allSettled(ids.map((_, at) => talk(port, at)));
  for (let killed = 0; killed < kills; killed += 1) {
    const { wialonPort } = await host.ready();
    let answers = 20 + Math.floor(Math.random() * 100);
    const heard = new Promise<void>((resolve) => {
      onAnswer = () => {
        answers -= 1;
        if (answers === 0) resolve();
      };
    });
    const talks = talkAll(wialonPort);
    await heard;
    await host.kill();
    for (const one of await talks)
      expect(String(one.status === 'rejected' && one.reason)).toMatch(/ended|ECONN/);
    host.restart();
  }
  enough = acknowledged.reduce((sum, it) => sum + it, 0) + 100;
  const { wialonPort } = await host.ready();
  expect((await talkAll(wialonPort)).map((it) => it.status)).toEqual(ids.map(() => 'fulfilled'));

  const dealer = await host.dealer();
  const events = await wholeList(dealer, '/api/v1/events?kind=sos', event);
  const period = `from=${new Date(start_ms).toISOString()}&to=${new Date(start_ms + day).toISOString()}`;
  for (const [terminal, id] of ids.entries()) {
    const { positions } = track.parse((await dealer.get(`/api/v1/vehicles/${id}/track?${period}`)).body);
    const count = acknowledged[terminal] ?? 0;
    expect(positions.map((it) => Date.parse(it.time))).toEqual(
      Array.from({ length: count }, (_, at) => start_ms + at * second),
    );
    const alarms = positions.filter((it) => it.alarms.includes('sos')).map((it) => it.time);
    const published = events.filter((it) => it.vehicle_id === positions[0]?.vehicle_id).map((it) => it.time);
    expect(published.sort()).toEqual(alarms);
    expect(alarms.length).toBe(
      Array.from({ length: count }, (_, at) => at).filter((at) => at % 11 === terminal).length,
    );
  }
  expect(acknowledged.reduce((sum, it) => sum + it, 0)).toBeGreaterThan(kills * 20);
  await host.end();
}, 240_000);
