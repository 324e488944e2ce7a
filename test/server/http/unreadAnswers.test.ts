import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import type { Response } from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { route } from '../../../server/contract/route.ts';
import { ApiError } from '../../../server/http/apiError.ts';
import { createUnreadAnswers, type UnreadBounds } from '../../../server/http/unreadAnswers.ts';
import { openDepot, viewerOf } from '../notifications/depot.ts';
import { serveApi } from '../preview/apiServer.ts';

const bounds: UnreadBounds = { per_user_bytes: 100, all_bytes: 250, stall_ms: 60_000 };

class FakeResponse extends EventEmitter {
  destroyed = false;
  readonly timeouts: number[] = [];
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
  setTimeout(ms: number): void {
    this.timeouts.push(ms);
  }
}

function byHand() {
  const unread = createUnreadAnswers(bounds);
  return {
    bytes: (user_id?: string) => unread.bytes(user_id),
    hold: (user_id: string, bytes: number): FakeResponse => {
      const response = new FakeResponse();
      unread.add(user_id, response as unknown as Response, bytes);
      return response;
    },
  };
}

describe('answers that are not read yet', () => {
  it('answers that are not read yet are counted until their connection ends', () => {
    const { hold, bytes } = byHand();
    const first = hold('ann', 60);
    hold('bob', 10);
    expect([bytes(), bytes('ann'), first.timeouts]).toEqual([70, 60, [60_000]]);
    first.emit('close');
    expect([bytes(), bytes('ann')]).toEqual([10, 0]);
  });

  it('answers that are not read yet are refused beyond the bound of a user with 429 and Retry-After, but never a first one', () => {
    const { hold } = byHand();
    const large = hold('ann', 120);
    expect(() => hold('ann', 1)).toThrow(ApiError);
    try {
      hold('ann', 1);
    } catch (error) {
      expect(error).toMatchObject({ code: 'queue_full', headers: { 'Retry-After': '60' } });
    }
    large.emit('close');
    hold('ann', 1);
  });

  it('answers beyond the total bound cut off the oldest answers of the user who holds the most', () => {
    const { hold, bytes } = byHand();
    const anns = [hold('ann', 50), hold('ann', 50)];
    const bobs = hold('bob', 90);
    const carls = hold('carl', 90);
    expect([...anns, bobs, carls].map((it) => it.destroyed)).toEqual([true, false, false, false]);
    expect([bytes('ann'), bytes('bob'), bytes('carl')]).toEqual([50, 90, 90]);
  });

  it('answers that are not read yet are held by no client that takes nothing: its connection is cut', async () => {
    const unread = createUnreadAnswers({ per_user_bytes: 1e9, all_bytes: 1e9, stall_ms: 1_000 });
    const counted: number[] = [];
    const depot = await openDepot();
    const size = 20_000_000;
    const large = route({
      ...{ id: 'large', tag: 'Large', method: 'GET', path: '/large', summary: 'Much', access: 'user' },
      reply: z.object({ text: z.string() }),
    });
    const url = await serveApi(
      (api) => api.handle(large, () => ({ text: 'x'.repeat(size) })),
      () => viewerOf(depot.users.dora),
      {
        ...unread,
        add: (...answer) => {
          unread.add(...answer);
          counted.push(unread.bytes(depot.users.dora.user_id));
        },
      },
    );
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.pause();
    socket.write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await expect.poll(() => counted.length).toBe(1);
    expect(counted[0]).toBeGreaterThan(size);
    await expect.poll(() => unread.bytes()).toBe(0);
    // One that reads gets it whole.
    expect((await (await fetch(`${url}/large`)).text()).length).toBeGreaterThan(size);
  });
});
