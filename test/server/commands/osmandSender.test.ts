import { afterEach, describe, expect, it } from 'vitest';
import {
  createOsmandSender,
  type OsmandFix,
  type OsmandSender,
} from '../../../server/commands/osmandSender.ts';
import { fakeIntake, type FakeIntake } from './fakeIntake.ts';

const open: (FakeIntake | OsmandSender)[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function intake(...answer: Parameters<typeof fakeIntake>): Promise<FakeIntake> {
  const started = await fakeIntake(...answer);
  open.push(started);
  return started;
}

function senderTo(url: string, options: Parameters<typeof createOsmandSender>[1] = {}): OsmandSender {
  const sender = createOsmandSender(url, { retryPausesMs: [1, 2, 4], ...options });
  open.push(sender);
  return sender;
}

const fix = (terminalId: string, second = 0): OsmandFix => ({
  terminalId,
  time: new Date(Date.UTC(2026, 10, 19, 11, 0, second)),
  lat: 51.4,
  lon: 15.4,
});

describe('the OsmAnd sender', () => {
  it('the OsmAnd sender sends what the tracker knows, speed in knots, course as bearing, times in milliseconds', async () => {
    const { url, forms, headers } = await intake();
    await senderTo(url).send([
      {
        ...fix('alder-017'),
        altitudeM: 141.5,
        speedKmh: 94,
        courseDeg: 63.2,
        accuracyM: 3,
        ignition: true,
        batteryPct: 97,
        odometerM: 18_500,
        sos: true,
      },
    ]);
    expect(Object.fromEntries(forms[0] ?? [])).toEqual({
      id: 'alder-017',
      timestamp: '1795086000000',
      lat: '51.4',
      lon: '15.4',
      altitude: '141.5',
      speed: '50.756',
      bearing: '63.2',
      accuracy: '3',
      ignition: 'true',
      batt: '97',
      odometer: '18500',
      alarm: 'sos',
    });
    expect(headers[0]?.['content-type']).toBe('application/x-www-form-urlencoded');
    expect(headers[0]?.['user-agent']).not.toMatch(/mozilla/i);
  });

  it('the OsmAnd sender leaves out what the tracker does not know', async () => {
    const { url, forms } = await intake();
    await senderTo(url).send([{ ...fix('a'), sos: false }]);
    expect([...(forms[0] ?? new URLSearchParams()).keys()].sort()).toEqual(['id', 'lat', 'lon', 'timestamp']);
  });

  it('the OsmAnd sender counts by the answer', async () => {
    const codes: Record<string, number> = { ok: 200, unknown: 404, bad: 400, web: 403, down: 503 };
    const { url } = await intake((form) => codes[form.get('id') ?? ''] ?? 200);
    const result = await senderTo(url).send(
      ['ok', 'ok', 'unknown', 'bad', 'web', 'down'].map((id, second) => fix(id, second)),
    );
    expect(result).toEqual({
      sent: 6,
      acknowledged: 2,
      unknown: 1,
      rejected: 2,
      failed: 1,
      byCode: { 200: 2, 400: 1, 403: 1, 404: 1, 503: 1 },
    });
  });

  it('the OsmAnd sender tries again after a 503 or a hung-up connection, and not after a 404', async () => {
    const { url, forms } = await intake((form, tries) => {
      if (form.get('id') === 'unknown') return 404;
      if (tries === 1) return 503;
      return tries === 2 ? 'hang up' : 200;
    });
    const result = await senderTo(url).send([fix('shaky'), fix('unknown')]);
    expect(result).toMatchObject({ sent: 2, acknowledged: 1, unknown: 1, failed: 0 });
    expect(forms.filter((form) => form.get('id') === 'shaky')).toHaveLength(3);
    expect(forms.filter((form) => form.get('id') === 'unknown')).toHaveLength(1);
  });

  it('the OsmAnd sender gives up after its last retry, and counts a host that is not there', async () => {
    const gone = await fakeIntake();
    await gone.close();
    const result = await senderTo(gone.url).send([fix('a')]);
    expect(result).toMatchObject({ sent: 1, failed: 1, byCode: { 0: 1 } });
    const { url, forms } = await intake(() => 500);
    expect(await senderTo(url).send([fix('a')])).toMatchObject({ failed: 1, byCode: { 500: 1 } });
    expect(forms).toHaveLength(4);
  });

  it("the OsmAnd sender keeps each terminal's fixes in order, also over several calls and through retries", async () => {
    const { url, forms } = await intake((form, tries) => (form.get('id') === 'b' && tries === 1 ? 503 : 200));
    const sender = senderTo(url, { concurrency: 4 });
    const fixes = Array.from({ length: 20 }, (_, second) => [fix('a', second), fix('b', second)]).flat();
    await Promise.all([sender.send(fixes.slice(0, 20)), sender.send(fixes.slice(20))]);
    for (const id of ['a', 'b']) {
      const stamps = forms
        .filter((form) => form.get('id') === id)
        .map((form) => Number(form.get('timestamp')));
      expect(stamps).toEqual([...stamps].sort((first, second) => first - second));
      expect(new Set(stamps).size).toBe(20);
    }
  });

  it('the OsmAnd sender keeps its connections alive and never has more under way than it may', async () => {
    const started = await intake(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return 200;
    });
    const sender = senderTo(started.url, { concurrency: 3 });
    await sender.send(Array.from({ length: 60 }, (_, index) => fix(`t${index}`)));
    expect(started.forms).toHaveLength(60);
    expect(started.maxConcurrent()).toBeLessThanOrEqual(3);
    expect(started.connections()).toBeLessThanOrEqual(3);
  });

  it('the OsmAnd sender breaks off what is under way when it is closed', async () => {
    const { url, forms } = await intake(() => 503);
    const sender = senderTo(url, { retryPausesMs: [3_600_000] });
    const sending = sender.send([fix('a'), fix('a', 1)]);
    while (forms.length === 0) await new Promise((resolve) => setImmediate(resolve));
    sender.close();
    expect(await sending).toMatchObject({ sent: 2, failed: 2 });
    expect(await sender.send([fix('b')])).toMatchObject({ failed: 1 });
  });

  it('the OsmAnd sender refuses an address that it cannot speak to', () => {
    expect(() => createOsmandSender('nowhere')).toThrow(TypeError);
    expect(() => createOsmandSender('https://127.0.0.1:5055')).toThrow(TypeError);
  });
});
