import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { detailOf } from '../../../server/contract/causeTexts.ts';
import { createSleepWatch } from '../../../server/app/sleepWatch.ts';
import { watchOverdue } from '../../../server/app/watchOverdue.ts';
import { createHealth } from '../../../server/settings/health.ts';
import { withGap } from '../../../server/telemetry/overdue.ts';
import { initialVehicleState, type VehicleState } from '../../../server/telemetry/vehicleState.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

/** A fleet of which every vehicle is heard as often as it is set, with a watch over it. */
function fleetOf(names: readonly string[]) {
  const clock = createFakeClock(Date.UTC(2026, 10, 21, 12));
  const states = new Map<string, VehicleState>();
  const silence: (string | null)[] = [];
  const changes: { began: readonly string[]; ended: readonly string[] }[] = [];
  const started_ms = clock.now();
  const sleep = createSleepWatch({ clock, health: createHealth(clock), log: pino({ level: 'silent' }) });
  sleep.start();
  const watch = watchOverdue({
    fleet: { state: (id) => states.get(id) ?? initialVehicleState },
    vehicles: () => names.map((vehicle_id) => ({ vehicle_id })),
    settings: () => ({ settling_s: 60 }),
    onChange: (change) => changes.push(change),
    onSilence: (cause) => silence.push(cause === null ? null : detailOf([cause])),
    listeningSince: sleep.listeningSince,
    clock,
  });
  const report = (which: readonly string[], ignition = true) => {
    for (const id of which) {
      const before = states.get(id) ?? initialVehicleState;
      const gaps = withGap(before, clock.now(), started_ms);
      states.set(id, { ...before, gaps, ignition, last_contact_ms: clock.now() });
    }
  };
  const drive = (gap_s: number, times: number, which = names, ignition = true) => {
    for (let at = 0; at < times; at++) {
      report(which, ignition);
      clock.advance(gap_s * 1_000);
    }
  };
  return { clock, watch, silence, changes, report, drive, wait: (s: number) => clock.advance(s * 1_000) };
}

describe('the watch over silent vehicles', () => {
  it('the watch over silent vehicles names those that become overdue, and those that report again', () => {
    const fleet = fleetOf(['a', 'b']);
    fleet.drive(20, 10);
    fleet.drive(20, 5, ['a']);
    expect([...fleet.watch.all()]).toEqual(['b']);
    fleet.report(['b']);
    fleet.wait(5);
    expect(fleet.changes).toEqual([
      { began: ['b'], ended: [] },
      { began: [], ended: ['b'] },
    ]);
    expect(fleet.silence).toEqual([]);
    fleet.watch.stop();
    fleet.wait(600);
    expect(fleet.changes).toHaveLength(2);
  });

  it('the watch over silent vehicles reports a feed that is dead once three that were due are all overdue for three minutes, until one is heard', () => {
    const fleet = fleetOf(['a', 'b', 'c']);
    fleet.drive(20, 10);
    fleet.wait(220 - 5);
    expect(fleet.silence).toEqual([]);
    fleet.wait(15);
    expect(fleet.silence).toEqual(['3 terminals were due, and none has sent anything.']);
    // Nobody is due any more, and it is silent all the same.
    fleet.wait(7_200);
    expect(fleet.silence).toHaveLength(1);
    fleet.report(['b']);
    fleet.wait(5);
    expect(fleet.silence.at(-1)).toBeNull();
  });

  it('the watch over silent vehicles reports nothing of two, nor while one of many is heard', () => {
    const two = fleetOf(['a', 'b']);
    two.drive(20, 10);
    two.wait(3_600);
    expect(two.silence).toEqual([]);
    const many = fleetOf(['a', 'b', 'c', 'd', 'e']);
    many.drive(20, 10);
    many.drive(20, 100, ['e']);
    expect([...many.watch.all()]).toEqual(['a', 'b', 'c', 'd']);
    expect(many.silence).toEqual([]);
  });

  it('the watch over silent vehicles reports nothing of a fleet that is parked for the night', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const fleet = fleetOf(names);
    // Terminals that fall silent with the ignition, some that report by the hour, some that send on for a while.
    for (let day = 0; day < 3; day++) {
      fleet.drive(20, 50);
      fleet.drive(300, 6, ['a', 'b', 'e'], false);
      fleet.drive(3_600, 4, ['c', 'd'], false);
      fleet.wait(8 * 3_600);
    }
    expect(fleet.silence).toEqual([]);
    expect(fleet.changes.length).toBeGreaterThan(0);
  });

  it('the watch over silent vehicles does not take the sleep of its machine for their silence', () => {
    const fleet = fleetOf(['a', 'b', 'c']);
    fleet.drive(20, 10);
    const silent = fleet.silence.length;
    fleet.clock.sleep(8 * 3_600_000);
    fleet.wait(50);
    expect(fleet.silence).toHaveLength(silent);
    expect([...fleet.watch.all()]).toEqual([]);
  });
});
