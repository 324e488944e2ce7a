import { describe, expect, it } from 'vitest';
import type { Notification, Snooze } from '../../../server/contract/notifications.ts';
import { createServerTime } from '../../../renderer/clock/serverTime.ts';
import {
  createSnoozedStore,
  snoozeStore,
  createSnoozeStore,
} from '../../../renderer/notifications/snoozes.ts';
import { createResourceStore } from '../../../renderer/resources/resourceStore.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { sampleNotification } from '../samples.ts';

function setUp() {
  const clock = createFakeClock();
  const serverTime = createServerTime(clock);
  const notifications = createResourceStore<Notification>({
    idOf: (it) => it.notification_id,
    isOlder: (a, b) => a.updated_at < b.updated_at,
  });
  const snoozes = createSnoozeStore();
  const shelves = createSnoozedStore();
  const stop = [serverTime.start(), snoozeStore({ notifications, snoozes, snoozed: shelves, serverTime })];
  notifications.put([sampleNotification()]);
  const snooze = (minutes: number): Snooze => ({
    snooze_id: `s${minutes}`,
    vehicle_id: 'v1',
    rule_id: null,
    until: new Date(clock.now() + minutes * 60_000).toISOString(),
    note: null,
    created_by: 'u1',
    created_at: new Date(clock.now()).toISOString(),
  });
  return {
    clock,
    notifications,
    snoozes,
    snooze,
    shelved: () => [...shelves.getState().byId.keys()],
    stop: () => stop.forEach((run) => run()),
  };
}

describe('the snooze store', () => {
  it('the snooze store takes a row when its vehicle is snoozed and returns it automatically when the snooze expires', () => {
    const { clock, snoozes, snooze, shelved } = setUp();
    snoozes.put([snooze(15)]);
    expect(shelved()).toEqual(['n1']);
    clock.advance(14 * 60_000 + 59_000);
    expect(shelved()).toEqual(['n1']);
    clock.advance(2_000);
    expect(shelved()).toEqual([]);
  });

  it('the snooze store gives a row back at once when the snooze is ended', () => {
    const { snoozes, snooze, shelved } = setUp();
    const made = snooze(15);
    snoozes.put([made]);
    snoozes.remove([made.snooze_id]);
    expect(shelved()).toEqual([]);
  });

  it('the snooze store takes a row that comes while its vehicle is snoozed', () => {
    const { notifications, snoozes, snooze, shelved } = setUp();
    snoozes.put([snooze(15)]);
    notifications.put([sampleNotification({ notification_id: 'n2' })]);
    expect(shelved()).toEqual(['n1', 'n2']);
  });

  it('the snooze store works no more once it is stopped', () => {
    const { snoozes, snooze, shelved, stop } = setUp();
    stop();
    snoozes.put([snooze(15)]);
    expect(shelved()).toEqual([]);
  });
});
