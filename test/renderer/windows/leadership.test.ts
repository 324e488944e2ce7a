import { describe, expect, it } from 'vitest';
import { createLeadership, type Locks } from '../../../renderer/windows/leadership.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Locks as a browser grants them: one after the other, in the order of asking. */
function createFakeLocks(): Locks {
  const lines = new Map<string, Promise<unknown>>();
  return {
    request(name, { signal }, held) {
      const before = lines.get(name) ?? Promise.resolve();
      const mine = before.then(() => {
        if (signal.aborted) throw new DOMException('left the line', 'AbortError');
        return held();
      });
      lines.set(
        name,
        mine.catch(() => undefined),
      );
      return mine;
    },
  };
}

describe('what one window does for all', () => {
  it('what one window does for all is done by the first that asks, and by the next one when it goes', async () => {
    const locks = createFakeLocks();
    const [first, second, third] = Array.from({ length: 3 }, () => createLeadership(() => 'sound', locks));
    const gained: number[] = [];
    [first, second, third].forEach((it, at) => it?.onGain(() => gained.push(at)));
    first?.ask();
    second?.ask();
    third?.ask();
    first?.ask();
    await settle();
    expect([first, second, third].map((it) => it?.isMine())).toEqual([true, false, false]);
    second?.leave();
    first?.leave();
    await settle();
    expect([first, second, third].map((it) => it?.isMine())).toEqual([false, false, true]);
    expect(gained).toEqual([0, 2]);
  });

  it('what one window does for all has a line of its own for each login', async () => {
    const locks = createFakeLocks();
    let session = 'a';
    const own = createLeadership(() => session, locks);
    const other = createLeadership(() => 'b', locks);
    own.ask();
    other.ask();
    await settle();
    expect([own.isMine(), other.isMine()]).toEqual([true, true]);
    own.leave();
    session = 'b';
    own.ask();
    await settle();
    expect(own.isMine()).toBe(false);
  });

  it('every window leads where the browser has no locks or refuses them: no alarm is silent', async () => {
    const refusing: Locks = { request: () => Promise.reject(new DOMException('denied', 'SecurityError')) };
    const leads = [createLeadership(() => 'a', null), createLeadership(() => 'a', refusing)];
    leads.forEach((it) => it.ask());
    await settle();
    expect(leads.map((it) => it.isMine())).toEqual([true, true]);
  });
});
