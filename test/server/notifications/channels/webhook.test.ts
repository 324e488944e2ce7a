import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { causeOf, said } from '../../../../server/contract/causeTexts.ts';
import type { Resolve } from '../../../../server/http/outgoingCall.ts';
import { createWebhook } from '../../../../server/notifications/channels/webhook.ts';
import type { Message } from '../../../../server/notifications/channels/sender.ts';
import { createFakeClock } from '../../../support/fakeClock.ts';
import { placeCalled } from '../../../support/namedPlaces.ts';
import { answer, openReceiver, type Reaction } from './receiver.ts';
import { messageOf } from './rows.ts';

const secret = 'a secret of the depot';
const never = new AbortController().signal;

async function openHook(...reactions: Reaction[]) {
  return openHookWith({}, ...reactions);
}

/** Names are looked up in the test's own list. */
function openHookOfNames(addressesOf: (name: string) => string[]) {
  const resolve = ((name: string, _options: object, done: (error: null, addresses: object[]) => void) =>
    done(
      null,
      addressesOf(name).map((address) => ({ address, family: 4 })),
    )) as unknown as Resolve;
  return openHookWith({ resolve });
}

async function openHookWith(more: { resolve?: Resolve }, ...reactions: Reaction[]) {
  const clock = createFakeClock();
  const receiver = await openReceiver(...reactions);
  const own = { ports: [] as number[] };
  const keys = { secret: secret as string | null };
  const send = createWebhook({
    secret: () => keys.secret,
    isOwnAddress: (host, port) => host === '127.0.0.1' && own.ports.includes(port),
    clock,
    ...more,
  });
  const sent = (more: Partial<Message> = {}, signal = never) =>
    send(messageOf({ target: receiver.url, ...more }), signal);
  return { clock, receiver, own, keys, sent };
}

describe('a webhook', () => {
  it('a webhook posts what happened as JSON', async () => {
    const { clock, receiver, sent } = await openHook();
    const message = messageOf({ target: receiver.url, place: placeCalled('Elm Street, Elmswell') });
    expect(await sent(message)).toEqual({
      outcome: 'sent',
      ...said(causeOf('webhook.answered', { status: 204 })),
    });
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
      escalation: null,
      place: message.place,
      rule: message.rule,
      vehicle: message.vehicle,
      driver: message.driver,
      sent_at: new Date(clock.now()).toISOString(),
    });
  });

  it('a webhook signs time and body with the secret of the depot, and nothing without one', async () => {
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

  it('a webhook is tried again where the receiver may take it later, and given up where it will not', async () => {
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

  it('a webhook hears how long the receiver asks to wait, in seconds or as a date', async () => {
    const { clock, receiver, sent } = await openHook();
    const date = new Date(clock.now() + 90_000).toUTCString();
    for (const [header, seconds] of [
      ['120', 120],
      [date, 90],
      ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
      ['soon', null],
    ] as const) {
      receiver.react(answer(503, { 'retry-after': header }));
      expect(await sent()).toMatchObject({ outcome: 'later', retryAfterS: seconds, isUnreachable: false });
    }
    receiver.react(answer(429));
    expect(await sent()).toMatchObject({ retryAfterS: null });
  });

  it('a webhook follows no redirect', async () => {
    const elsewhere = await openReceiver();
    const { sent } = await openHook(answer(307, { location: elsewhere.url }));
    expect(await sent()).toEqual({
      outcome: 'refused',
      ...said(causeOf('webhook.redirect', { status: 307 })),
    });
    expect(elsewhere.received).toEqual([]);
  });

  it('a webhook reports the status of an answer and no byte of its body or headers', async () => {
    const { receiver, sent } = await openHook();
    for (const status of [301, 404, 422, 500, 503]) {
      receiver.react(answer(status, { 'x-secret': 'zebra' }, 'zebra '.repeat(1_000)));
      const { detail } = await sent();
      expect(detail).toMatch(new RegExp(`^It answered ${status}(\\.|; redirects are not followed\\.)$`));
    }
  });

  it('a webhook reads nothing of an answer that does not end', async () => {
    const { sent } = await openHook((response) => {
      response.writeHead(500);
      const go = () => {
        while (!response.destroyed && response.write('y'.repeat(1_024)));
      };
      response.on('drain', go);
      go();
    });
    expect((await sent()).detail).toBe('It answered 500.');
  });

  it('a webhook waits ten seconds for an answer', async () => {
    const { clock, receiver, sent } = await openHook(() => undefined);
    const waiting = sent();
    await receiver.calls(1);
    clock.advance(10_000);
    expect(await waiting).toEqual({
      outcome: 'later',
      ...said(causeOf('webhook.no_connection')),
      retryAfterS: null,
      isUnreachable: true,
    });
  });

  it('a webhook reports a closed port, a silent one, one that hangs up and one of another protocol by the same text', async () => {
    const { clock, receiver, sent } = await openHook((response) => response.destroy());
    const noConnection = {
      outcome: 'later',
      retryAfterS: null,
      isUnreachable: true,
      ...said(causeOf('webhook.no_connection')),
    };
    expect(await sent()).toEqual(noConnection);
    await receiver.close();
    expect(await sent()).toEqual(noConnection);
    expect(await sent({ target: 'https://no-such-host.invalid/' })).toEqual(noConnection);

    const greeter = createTcpServer((socket) => socket.end('220 mail.port.example zebra\r\n'));
    const silent = createTcpServer();
    for (const server of [greeter, silent]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(() => void server.close());
    }
    const target = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    expect(await sent({ target: target(greeter) })).toEqual(noConnection);
    const connected = once(silent, 'connection') as Promise<[Socket]>;
    const waiting = sent({ target: target(silent) });
    const [socket] = await connected;
    clock.advance(10_000);
    expect(await waiting).toEqual(noConnection);
    socket.destroy();
  });

  it('a webhook calls no link-local, unspecified, multicast or disguised address', async () => {
    const { receiver, sent } = await openHook();
    for (const host of ['169.254.169.254', '0.0.0.0', '224.0.0.1', '[fe80::1]', '[::ffff:127.0.0.1]']) {
      const { outcome, detail } = await sent({ target: `http://${host}:${receiver.port}/` });
      expect([outcome, detail]).toEqual(['refused', expect.stringMatching(/^Its address (is|hides) /)]);
    }
    expect(receiver.received).toEqual([]);
  });

  it('a webhook looks a name up once and connects to the address that was checked', async () => {
    const asked: string[] = [];
    const answers = ['127.0.0.1', '169.254.169.254'];
    const { receiver, sent } = await openHookOfNames((name) => {
      asked.push(name);
      return [answers[asked.length - 1] ?? '169.254.169.254'];
    });
    const target = `http://hooks.example:${receiver.port}/hook`;
    expect((await sent({ target })).detail).toBe('It answered 204.');
    expect(asked).toEqual(['hooks.example']);
    expect(await sent({ target })).toEqual({
      outcome: 'refused',
      ...said(causeOf('webhook.address'), causeOf('address.link_local')),
    });
    expect(receiver.received).toHaveLength(1);
  });

  it('a webhook does not call a name of which one address among several is refused', async () => {
    const { receiver, sent } = await openHookOfNames(() => ['127.0.0.1', '169.254.169.254']);
    expect((await sent({ target: `http://hooks.example:${receiver.port}/` })).outcome).toBe('refused');
    expect(receiver.received).toEqual([]);
  });

  it('a webhook does not call the host itself, neither by an address nor by a name that stands for one', async () => {
    const { receiver, own, sent } = await openHook();
    own.ports.push(receiver.port);
    for (const target of [receiver.url, `http://localhost:${receiver.port}/`]) {
      expect(await sent({ target })).toEqual({
        outcome: 'refused',
        ...said(causeOf('webhook.own_address')),
      });
    }
    expect(receiver.received).toEqual([]);
  });

  it('a webhook is broken off with the reason that it is given', async () => {
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
