import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { User } from '../../../server/contract/users.ts';
import { createListener, type Listener } from '../../../server/stream/listener.ts';
import { frame, type StreamItem } from '../../../server/stream/streamItem.ts';

const dealer: User = {
  user_id: '5f1c1d8e-6a7f-4f0b-9d1e-2b8f0a3c4d5e',
  login: 'dora',
  name: null,
  email: null,
  role: 'dealer',
  rights: { vehicles: 'write', geofences: 'write', notifications: 'write', reports: 'write', video: 'write' },
  group_ids: [],
  blocked: false,
  version: 1,
  created_at: '2026-03-01T08:00:00.000Z',
  updated_at: '2026-03-01T08:00:00.000Z',
};

/** What a client reads of a listener's stream, whole, once it has ended. */
async function streamOf(tell: (listener: Listener) => Promise<void>): Promise<string> {
  const server = createServer((_, response) => {
    const viewer = { user: dealer, session_id: 'session', expires_ms: Number.MAX_SAFE_INTEGER };
    const listener = createListener(response, viewer, undefined, 'epoch');
    void tell(listener).then(() => listener.end());
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return (await fetch(`http://127.0.0.1:${port}/`)).text();
}

const item = (seq: number | null, name: string): StreamItem => ({
  topic: 'rule',
  seq,
  json: JSON.stringify(name),
  sees: () => true,
  gone: null,
});
const told = (seq: number, name: string) => frame('rule', JSON.stringify(name), `epoch.${seq}`);

it('is not told again what its beginning held, whether that is offered while it begins or only afterwards', async () => {
  const text = await streamOf(async (listener) => {
    listener.offer(item(11, 'early'));
    await listener.begin(frame('snapshot', '{}', 'epoch.12'));
    listener.offer(item(13, 'meanwhile'));
    await listener.goLive(12);
    // Stored before the beginning was read, and told only now.
    listener.offer(item(12, 'late'));
    listener.offer(item(14, 'new'));
    listener.offer(item(null, 'passing'));
  });
  expect(text).toBe(
    [
      frame('snapshot', '{}', 'epoch.12'),
      told(13, 'meanwhile'),
      told(14, 'new'),
      frame('rule', '"passing"', null),
    ].join(''),
  );
});
