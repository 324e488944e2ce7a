import { expect, test } from 'vitest';
import { event } from '../../server/contract/events.ts';
import { track } from '../../server/contract/positions.ts';
import { wholeList } from './depot.ts';
import { startKillableHost } from './killableHost.ts';
import { createStubbornTeltonika } from './stubbornTeltonika.ts';

const kills = 5;
const terminals = 20;
const recordsPerPacket = 7;
/** Records lie so close that all of the test's fit between what is late and what is in the future. */
const stepMs = 50;

const random = (min: number, max: number) => min + Math.floor(Math.random() * (max - min + 1));

test('kills while packets of records stream in lose no acknowledged record and double none', async () => {
  const imeis = Array.from({ length: terminals }, (_, at) => `3563070424410${10 + at}`);
  const host = await startKillableHost(imeis);

  const start_ms = Date.now() - 120_000;
  const fleet = createStubbornTeltonika(
    imeis,
    (imei, packet) =>
      Array.from({ length: recordsPerPacket }, (_, at) => {
        const count = packet * recordsPerPacket + at;
        return {
          time_ms: start_ms + count * stepMs,
          lat: 52 + count / 1e5,
          lon: 13 + imeis.indexOf(imei) / 100,
          priority: count % 11 === 0 ? 2 : 0,
        };
      }),
    () => Math.random() < 0.7,
  );
  let { teltonikaPort } = await host.ready();
  for (let killed = 0; killed < kills; killed += 1) {
    await fleet.talkTo(teltonikaPort, random(1, 1_000));
    await host.kill();
    await fleet.hush();
    host.restart();
    ({ teltonikaPort } = await host.ready());
  }
  await fleet.talkTo(teltonikaPort, 100);
  await fleet.hush();

  const dealer = await host.dealer();
  const period = `from=${new Date(start_ms).toISOString()}&to=${new Date(start_ms + 86_400_000).toISOString()}`;
  const alarms = await wholeList(dealer, '/api/v1/events?kind=sos', event);
  let acknowledged = 0;
  for (const [imei, sent] of fleet.sent) {
    const { positions } = track.parse((await dealer.get(`/api/v1/vehicles/${imei}/track?${period}`)).body);
    const stored = new Map(positions.map((it) => [Date.parse(it.time), it]));
    expect(stored.size).toBe(positions.length);
    expect([...sent.acknowledged.keys()].filter((time_ms) => !stored.has(time_ms))).toEqual([]);
    for (const [time_ms, { lat, lon }] of stored) {
      const planned = sent.acknowledged.get(time_ms) ?? sent.unanswered.get(time_ms);
      expect({ lat, lon }).toEqual({
        lat: expect.closeTo(planned?.lat ?? Number.NaN, 7) as number,
        lon: expect.closeTo(planned?.lon ?? Number.NaN, 7) as number,
      });
    }
    const vehicleId = positions[0]?.vehicle_id;
    const published = alarms.filter((it) => it.vehicle_id === vehicleId).map((it) => it.time);
    const pressed = positions.filter((it) => it.alarms.includes('sos')).map((it) => it.time);
    expect(published.sort()).toEqual(pressed.sort());
    acknowledged += sent.acknowledged.size;
  }
  expect(acknowledged).toBeGreaterThan(kills * recordsPerPacket);
  await host.end();
}, 240_000);
