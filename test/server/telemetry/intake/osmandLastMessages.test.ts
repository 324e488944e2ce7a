import { describe, expect, test } from 'vitest';
import { openOsmandTestListener, requestOf } from './osmandTestListener.ts';

describe('the list of the latest messages', () => {
  test('the list of the latest messages has the message, its decoded form, and its answer', async () => {
    const listener = await openOsmandTestListener(() => ({ status: 'unknown' }));
    const line = await listener.dial();
    await line.write(requestOf('GET', '/?id=7&lat=north', {}));
    await line.write(requestOf('POST', '/', {}, 'id=7&lat=1&lon=2'));
    expect(await line.statuses(2)).toEqual([400, 404]);
    const [last, first] = listener.listener.messages.latest();
    expect(first).toMatchObject({ note: 'lat is not a number', terminal_id: '7', decoded: 0 });
    expect(last).toMatchObject({ note: null, terminal_id: '7', decoded: 1, outcomes: { unknown: 1 } });
    expect(Buffer.from(last?.bytes ?? []).toString()).toBe('POST /\n\nid=7&lat=1&lon=2');
    expect(Buffer.from(last?.answer ?? []).toString()).toBe('404 No vehicle has this terminal.');
    expect(listener.listener.rejections()).toMatchObject({ undecodable: 1, protocol_mismatch: 0 });
  });

  test('the list of the latest messages has web pages and other protocols, whose connections have ended', async () => {
    const listener = await openOsmandTestListener();
    const page = await listener.dial();
    // More is on its way than is looked at.
    const headers = { Origin: 'http://depot.example', 'Content-Length': '400000000' };
    await page.write(requestOf('POST', '/?id=7&lat=1&lon=2', headers));
    expect(await page.statuses(1)).toEqual([403]);
    await page.ended;
    const secure = await listener.dial();
    const hello = Buffer.from('16030100c8010000c403', 'hex');
    await secure.write(hello);
    await secure.ended;
    const tracker = await listener.dial();
    await tracker.write('#L#2.0;7;NA;BB2B\r\n');
    expect(await tracker.statuses(1)).toEqual([400]);
    await tracker.ended;
    expect(listener.listener.rejections().protocol_mismatch).toBe(3);
    const [login, tls, web] = listener.listener.messages.latest();
    expect(login).toMatchObject({ isUnreadable: true, note: expect.stringContaining('no request of HTTP') });
    expect(Buffer.from(login?.bytes ?? []).toString()).toBe('#L#2.0;7;*******\r\n');
    expect(tls).toMatchObject({
      isUnreadable: true,
      note: expect.stringContaining('TLS on the OsmAnd port') as string,
    });
    expect(Buffer.from(tls?.bytes ?? [])).toEqual(hello);
    expect(Buffer.from(tls?.answer ?? []).toString()).toBe('400 Bad Request');
    expect(web).toMatchObject({ isUnreadable: true, note: 'a web page' });
    expect(Buffer.from(web?.bytes ?? []).toString()).toBe('POST /?id=7&lat=1&lon=2');
    expect(listener.taken).toEqual([]);
  });
});
