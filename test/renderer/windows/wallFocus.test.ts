import { describe, expect, it } from 'vitest';
import type { Notification } from '../../../server/contract/notifications.ts';
import { followNewestAlarm, keepFresh } from '../../../renderer/windows/wallFocus.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { openSession } from '../commands/openSession.ts';
import { sampleNotification } from '../samples.ts';

function setUp() {
  const clock = createFakeClock();
  const { app } = openSession();
  const shown: (string | null)[] = [];
  const stop = followNewestAlarm({ ...app, clock }, (newest) => shown.push(newest?.notification_id ?? null));
  return {
    clock,
    shown,
    stop,
    arrive: (id: string, severity: Notification['severity']) => {
      app.notifications.put([
        sampleNotification({ notification_id: id, severity, state: 'open', ack: null }),
      ]);
      app.arrivals.setState(({ byId }) => ({ byId: new Map(byId).set(id, clock.now()) }));
    },
    acknowledge: (id: string) => {
      const at = '2026-11-21T12:01:00.000Z';
      const ack = { user_id: 'u1', at, note: null };
      app.notifications.put([
        sampleNotification({ notification_id: id, state: 'acknowledged', ack, updated_at: at }),
      ]);
    },
  };
}

describe('a wall display', () => {
  it('a wall display shows all vehicles, anew each minute', () => {
    const { clock, shown } = setUp();
    clock.advance(60_000);
    expect(shown).toEqual([null, null]);
  });

  it('a wall display shows the newest alarm for a minute, then all vehicles again', () => {
    const { clock, shown, arrive } = setUp();
    arrive('a', 'alarm');
    clock.advance(30_000);
    arrive('b', 'alarm');
    clock.advance(59_000);
    expect(shown).toEqual([null, 'a', 'b']);
    clock.advance(1_000);
    expect(shown).toEqual([null, 'a', 'b', null]);
  });

  it('a wall display does not leave an alarm for a warning', () => {
    const { clock, shown, arrive } = setUp();
    arrive('w1', 'warning');
    arrive('a', 'alarm');
    arrive('w2', 'warning');
    expect(shown).toEqual([null, 'w1', 'a']);
    clock.advance(60_000);
    arrive('w3', 'warning');
    expect(shown.at(-1)).toBe('w3');
  });

  it('a wall display leaves an alarm as soon as somebody acknowledges it', () => {
    const { shown, arrive, acknowledge } = setUp();
    arrive('a', 'alarm');
    acknowledge('a');
    expect(shown).toEqual([null, 'a', null]);
  });

  it('a wall display ends without a timer left', () => {
    const { clock, shown, stop, arrive } = setUp();
    stop();
    arrive('a', 'alarm');
    clock.advance(600_000);
    expect(shown).toEqual([null]);
  });

  it('a wall display loads anew after a day, when nobody would miss it', () => {
    const clock = createFakeClock();
    let isQuiet = false;
    let reloads = 0;
    keepFresh(
      clock,
      () => isQuiet,
      () => (reloads += 1),
    );
    clock.advance(25 * 3_600_000);
    expect(reloads).toBe(0);
    isQuiet = true;
    clock.advance(60_000);
    expect(reloads).toBe(1);
  });
});
