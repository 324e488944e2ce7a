import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../../server/telemetry/terminalReport.ts';
import { noVectors, osmandVectors, type OsmandVector } from '../protocols/osmandData.ts';
import { expectStated } from '../protocols/osmandStated.ts';
import { openOsmandTestListener, requestOf } from './osmandTestListener.ts';

function wireOf({ http, input, input_encoding }: OsmandVector): Buffer {
  if (input_encoding === 'url') return requestOf(http.method, input, {});
  return requestOf(http.method, '/', { 'Content-Type': http.content_type ?? '' }, input);
}

const at_ms = Date.UTC(2026, 10, 21, 4, 43);
const point =
  'id=48241179&timestamp=1795236180&lat=56.95&lon=24.1&speed=10.0&bearing=90.0&altitude=12.5&accuracy=4.0&batt=87.0';

describe('the Traccar Client app is supported', () => {
  const stated = {
    terminal_id: '48241179',
    time_ms: at_ms,
    place: { lat: 56.95, lon: 24.1 },
    speed_kmh: 18.52,
    course_deg: 90,
    altitude_m: 12.5,
    accuracy_m: 4,
    battery_pct: 87,
  };
  const android = { 'User-Agent': 'Dalvik/2.1.0 (Linux; U; Android 13; Pixel 5)', 'Accept-Encoding': 'gzip' };
  const ios = { 'User-Agent': 'TraccarClient/123 CFNetwork/1410.0.3 Darwin/22.6.0', Accept: '*/*' };

  test.each([
    ['Android, up to version 8', requestOf('POST', `/?${point}&charge=true`, android)],
    [
      'iOS, up to version 8',
      requestOf('POST', `/?${point}`, { ...ios, 'Content-Type': 'application/x-www-form-urlencoded' }),
    ],
    ['a GET with a query', requestOf('GET', `/?${point}`, android)],
    [
      'a form',
      requestOf('POST', '/', { ...android, 'Content-Type': 'application/x-www-form-urlencoded' }, point),
    ],
  ])('the Traccar Client app is supported as it speaks on %s', async (_name, bytes) => {
    const listener = await openOsmandTestListener();
    const line = await listener.dial();
    await line.write(bytes);
    expect(await line.statuses(1)).toEqual([200]);
    expect(listener.taken).toMatchObject([stated]);
  });

  test('the Traccar Client app is supported as it speaks since version 9, in JSON', async () => {
    const listener = await openOsmandTestListener();
    const line = await listener.dial();
    const location = {
      timestamp: '2026-11-21T04:43:00.000Z',
      coords: { latitude: 56.95, longitude: 24.1, accuracy: 4, speed: 5, heading: 90, altitude: 12.5 },
      is_moving: true,
      odometer: 1234.5,
      event: 'motionchange',
      battery: { level: 0.87, is_charging: true },
      activity: { type: 'in_vehicle' },
      extras: {},
    };
    const headers = { 'User-Agent': 'okhttp/4.12.0', 'Content-Type': 'application/json; charset=utf-8' };
    await line.write(requestOf('POST', '/', headers, JSON.stringify({ location, device_id: '48241179' })));
    expect(await line.statuses(1)).toEqual([200]);
    expect(listener.taken).toMatchObject([{ ...stated, speed_kmh: 18, odometer_m: 1234.5 }]);
  });

  test('the Traccar Client app is supported with its emergency button', async () => {
    const listener = await openOsmandTestListener();
    const line = await listener.dial();
    await line.write(requestOf('POST', `/?${point}&alarm=sos`, android));
    expect(await line.statuses(1)).toEqual([200]);
    expect(listener.taken).toMatchObject([{ ...stated, alarms: ['sos'] }]);
  });
});

describe('messages of real clients', () => {
  if (osmandVectors.length === 0)
    test('messages of real clients are all understood', ({ skip }) => skip(noVectors));

  test.each(osmandVectors)('vectors such as $id are understood whole, and byte by byte', async (vector) => {
    const listener = await openOsmandTestListener();
    const line = await listener.dial();
    const bytes = wireOf(vector);
    const { http_status } = vector.expect;
    await line.write(bytes);
    expect(await line.statuses(1)).toEqual([http_status]);
    for (const byte of bytes) await line.write(Buffer.of(byte));
    expect(await line.statuses(1)).toEqual([http_status]);
    expect(listener.taken).toHaveLength(2);
    for (const report of listener.taken) expectStated(report, vector);
  });

  test('cut in two anywhere are understood', async () => {
    const listener = await openOsmandTestListener();
    const line = await listener.dial();
    for (const vector of osmandVectors) {
      const bytes = wireOf(vector);
      for (let at = 1; at < bytes.length; at++) {
        await line.write(bytes.subarray(0, at));
        await line.write(bytes.subarray(at));
        expect(await line.statuses(1)).toEqual([200]);
        expect(listener.taken).toHaveLength(1);
        for (const report of listener.taken.splice(0)) expectStated(report, vector);
      }
    }
  });

  test('messages of real clients glued together are understood one after the other, also when they are cut anywhere', async () => {
    const listener = await openOsmandTestListener();
    const line = await listener.dial();
    const bytes = Buffer.concat(osmandVectors.map(wireOf));
    for (const piece of [bytes.length, 1, 7, 1_000]) {
      for (let at = 0; at < bytes.length; at += piece) await line.write(bytes.subarray(at, at + piece));
      const statuses = await line.statuses(osmandVectors.length);
      expect(statuses).toEqual(osmandVectors.map((it) => it.expect.http_status));
      const reports = listener.taken.splice(0);
      expect(reports).toHaveLength(osmandVectors.length);
      for (const [at, report] of reports.entries())
        expectStated(report, osmandVectors[at] ?? expect.fail('a report of nothing'));
    }
  });

  test('messages of real clients that were damaged crash nothing, and the next one is accepted', async ({
    skip,
  }) => {
    if (osmandVectors.length === 0) skip(noVectors);
    const listener = await openOsmandTestListener();
    const edits = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...osmandVectors), edits, async (vector, changes) => {
        const bytes = wireOf(vector);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        const line = await listener.dial();
        await line.write(bytes);
        line.socket.end();
        await line.ended;
      }),
      { numRuns: 100 },
    );
    const line = await listener.dial();
    await line.write(requestOf('GET', `/?${point}`, {}));
    expect(await line.statuses(1)).toEqual([200]);
  });
});

describe('a list of locations', () => {
  const location = (at: number) => ({
    timestamp: new Date(at * 1_000).toISOString(),
    coords: { latitude: 1, longitude: 2 },
  });
  const message = (...locations: unknown[]) =>
    requestOf('POST', '/', {}, JSON.stringify({ device_id: '7', location: locations }));

  test('a list of locations is handed in whole, and what cannot be read in it with it', async () => {
    const listener = await openOsmandTestListener();
    const line = await listener.dial();
    await line.write(message(location(1), location(2), 'nothing'));
    expect(await line.statuses(1)).toEqual([200]);
    expect(listener.taken.map((it) => it.time_ms)).toEqual([1_000, 2_000, null]);
    expect(listener.taken[2]?.undecodable).toBe('a location is not an object');
  });

  test('a list of locations is answered with 400 when it is nested too deeply, and the log has nothing to say', async () => {
    const listener = await openOsmandTestListener();
    const line = await listener.dial();
    const deep = `{"device_id":"7","location":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    await line.write(requestOf('POST', '/', {}, deep));
    await line.write(message(location(1)));
    expect(await line.statuses(2)).toEqual([400, 200]);
    expect(listener.logged.filter((it) => Number(it['level']) >= 50)).toEqual([]);
    expect(listener.listener.rejections().undecodable).toBe(1);
  });

  test.each<[number, Outcome]>([
    [200, { status: 'rejected', code: 'time_in_future', detail: 'It is in the future.' }],
    [404, { status: 'unknown' }],
    [503, { status: 'failed', code: 'unavailable', detail: 'The store failed.' }],
  ])('a list of locations is answered with %i when one of them is %o', async (status, outcome) => {
    const listener = await openOsmandTestListener(({ time_ms }) =>
      time_ms === 2_000 ? outcome : { status: 'stored' },
    );
    const line = await listener.dial();
    await line.write(message(location(1), location(2)));
    expect(await line.statuses(1)).toEqual([status]);
  });
});
