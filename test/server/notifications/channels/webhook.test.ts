import { createHmac, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createWebhook } from '../../../../server/notifications/channels/webhook.ts';
import type { Message } from '../../../../server/notifications/channels/sending.ts';
import { createHandClock } from '../../../support/handClock.ts';
import { answer, openReceiver, type Reaction } from './receiver.ts';
import { messageOf } from './rows.ts';

const secret = 'a secret of the depot';
const never = new AbortController().signal;

async function openHook(...reactions: Reaction[]) {
  const clock = createHandClock();
  const receiver = await openReceiver(...reactions);
  const own = { ports: [] as number[] };
  const keys = { secret: secret as string | null };
  const send = createWebhook({
    secret: () => keys.secret,
    isOwnAddress: (host, port) => host === '127.0.0.1' && own.ports.includes(port),
    clock,
  });
  const sent = (more: Partial<Message> = {}, signal = never) =>
    send(messageOf({ target: receiver.url, ...more }), signal);
  return { clock, receiver, own, keys, sent };
}

describe('a webhook', () => {
  it('posts what happened as JSON', async () => {
    const { clock, receiver, sent } = await openHook();
    const message = messageOf({ target: receiver.url });
    expect(await sent(message)).toEqual({ outcome: 'sent', detail: 'It answered 204.' });
    const [call] = receiver.received;
    expect([call?.method, call?.path]).toEqual(['POST', '/hook']);
    expect(call?.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'fleetdeck-delivery': message.delivery_id,
      'fleetdeck-timestamp': String(clock.now() / 1_000),
    });
    expect(JSON.parse(call?.body ?? '')).toEqual({
      type: 'notification',
      depot: 'Port',
      text: message.text,
      notification: message.notification,
      rule: message.rule,
      vehicle: message.vehicle,
      sent_at: new Date(clock.now()).toISOString(),
    });
  });

  it('signs time and body with the secret of the depot, and nothing without one', async () => {
    const { receiver, keys, sent } = await openHook();
    await sent({ text: 'Überfahrt Ω' });
    const [call] = receiver.received;
    const signed = `${String(call?.headers['fleetdeck-timestamp'])}.${call?.body ?? ''}`;
    const expected = createHmac('sha256', Buffer.from(secret, 'utf8')).update(signed, 'utf8').digest('hex');
    expect(call?.headers['fleetdeck-signature']).toBe(`sha256=${expected}`);
    keys.secret = null;
    await sent();
    expect(receiver.received[1]?.headers).not.toHaveProperty('fleetdeck-signature');
  });

  it('is tried again where the receiver may take it later, and given up where it will not', async () => {
    const { receiver, sent } = await openHook();
    const outcomes: Record<number, string> = {};
    for (const status of [200, 202, 299, 400, 401, 404, 408, 410, 425, 429, 500, 502, 503, 507]) {
      receiver.react(answer(status));
      outcomes[status] = (await sent()).outcome;
    }
    const given = (outcome: string) =>
      Object.entries(outcomes).flatMap(([status, it]) => (it === outcome ? [Number(status)] : []));
    expect(given('sent')).toEqual([200, 202, 299]);
    expect(given('refused')).toEqual([400, 401, 404, 410]);
    expect(given('later')).toEqual([408, 425, 429, 500, 502, 503, 507]);
  });

  it('hears how long the receiver asks to wait, in seconds or as a date', async () => {
    const { clock, receiver, sent } = await openHook();
    const date = new Date(clock.now() + 90_000).toUTCString();
    for (const [header, seconds] of [
      ['120', 120],
      [date, 90],
      ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
      ['soon', null],
    ] as const) {
      receiver.react(answer(503, { 'retry-after': header }));
      expect(await sent()).toMatchObject({ outcome: 'later', retryAfter_s: seconds, isAway: false });
    }
    receiver.react(answer(429));
    expect(await sent()).toMatchObject({ retryAfter_s: null });
  });

  it('follows no redirect', async () => {
    const elsewhere = await openReceiver();
    const { sent } = await openHook(answer(307, { location: elsewhere.url }));
    expect(await sent()).toEqual({
      outcome: 'refused',
      detail: 'It answered 307; redirects are not followed.',
    });
    expect(elsewhere.received).toEqual([]);
  });

  it('keeps the beginning of what a receiver says of its fault, on one line', async () => {
    const { sent } = await openHook(answer(422, {}, `no\r\n such\u0000 field ${'x'.repeat(100_000)}`));
    const { detail } = await sent();
    expect(detail).toMatch(/^It answered 422: no such field x+$/);
    expect(detail.length).toBeLessThan(1_100);
  });

  it('reads no more of an answer that does not end', async () => {
    const { sent } = await openHook((response) => {
      response.writeHead(500);
      const go = () => {
        while (!response.destroyed && response.write('y'.repeat(1_024)));
      };
      response.on('drain', go);
      go();
    });
    expect((await sent()).detail).toContain('yyy');
  });

  it('waits ten seconds for an answer', async () => {
    const { clock, receiver, sent } = await openHook(() => undefined);
    const waiting = sent();
    await receiver.calls(1);
    clock.advance(10_000);
    expect(await waiting).toEqual({
      outcome: 'later',
      detail: 'It did not answer within 10 s.',
      retryAfter_s: null,
      isAway: true,
    });
  });

  it('says of a receiver that is gone that it is, and never whereto', async () => {
    const { receiver, sent } = await openHook((response) => response.destroy());
    expect(await sent()).toMatchObject({
      outcome: 'later',
      isAway: true,
      detail: 'It closed the connection without an answer.',
    });
    await receiver.close();
    expect(await sent()).toMatchObject({
      outcome: 'later',
      isAway: true,
      detail: 'It refuses the connection.',
    });
    expect(await sent({ target: 'https://no-such-host.invalid/' })).toMatchObject({
      outcome: 'later',
      isAway: true,
    });
  });

  it('does not call the host itself, neither by an address nor by a name that stands for one', async () => {
    const { receiver, own, sent } = await openHook();
    own.ports.push(receiver.port);
    for (const target of [receiver.url, `http://localhost:${receiver.port}/`]) {
      expect(await sent({ target })).toEqual({
        outcome: 'refused',
        detail: 'It is an address of this host itself.',
      });
    }
    expect(receiver.received).toEqual([]);
  });

  it('is broken off with the reason that it is given', async () => {
    const { receiver, sent } = await openHook(() => undefined);
    const stop = new AbortController();
    const waiting = sent({ delivery_id: randomUUID() }, stop.signal);
    await receiver.calls(1);
    stop.abort(new Error('closing'));
    await expect(waiting).rejects.toThrow('closing');
    await expect(sent({}, stop.signal)).rejects.toThrow('closing');
    expect(receiver.received).toHaveLength(1);
  });
});
