import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newVehicle } from '../../server/contract/vehicles.ts';
import { createFleet, type Fix } from '../../server/commands/demo/demoFleet.ts';
import { distanceM, nearestOnSegment, segmentsOf } from './planeGeometry.ts';
import { createTown } from './town.ts';
import { toPlane } from './townProjection.ts';
import { recordFleet } from './recordFleet.ts';
import { naiveGeofences } from './naiveGeofences.ts';

const SEED = 1;
const START = new Date('2026-11-19T11:00:00.000Z');
const town = createTown(SEED);
const recorded = recordFleet(town, SEED);
const geofences = naiveGeofences(town);

const at = (seconds: number): Date => new Date(START.getTime() + seconds * 1000);
const secondsOf = (fix: Fix): number => (fix.time.getTime() - START.getTime()) / 1000;

function fixesOf(minutes: number, seed = SEED): Fix[] {
  return createFleet(seed === SEED ? recorded : recordFleet(createTown(seed), seed), START).step(
    at(minutes * 60),
  );
}

function byVehicle(fixes: Fix[]): Map<string, Fix[]> {
  const own = new Map<string, Fix[]>();
  for (const fix of fixes) {
    const before = own.get(fix.terminalId);
    if (before === undefined) own.set(fix.terminalId, [fix]);
    else before.push(fix);
  }
  return own;
}

function pairsOf(fixes: Fix[]): [Fix, Fix][] {
  return [...byVehicle(fixes).values()].flatMap((own) =>
    own.slice(1).map((fix, index): [Fix, Fix] => [own[index] ?? fix, fix]),
  );
}

function geofenceNamed(name: string) {
  const geofence = geofences.find((candidate) => candidate.name === name);
  if (geofence === undefined) throw new Error(`no geofence ${name}`);
  return geofence;
}

/** Moments at which some vehicle is seen to enter. */
function entersOf(fixes: Fix[], name: string): number[] {
  const geofence = geofenceNamed(name);
  return pairsOf(fixes)
    .filter(([before, fix]) => !geofence.holds(before) && geofence.holds(fix))
    .map(([, fix]) => secondsOf(fix));
}

/** Moments at which a vehicle has been 3 km/h over a geofence's limit for ten seconds. */
function overspeedsOf(fixes: Fix[], name: string): number[] {
  const geofence = geofenceNamed(name);
  const limitKmh = (geofence.speedLimitKmh ?? Infinity) + 3;
  const found: number[] = [];
  for (const own of byVehicle(fixes).values()) {
    let since: number | null = null;
    let isPublished = false;
    for (const fix of own) {
      const isOver = geofence.holds(fix) && fix.speedKmh > limitKmh;
      if (!isOver) {
        since = null;
        isPublished = false;
        continue;
      }
      since ??= secondsOf(fix);
      if (!isPublished && secondsOf(fix) - since >= 10) {
        found.push(secondsOf(fix));
        isPublished = true;
      }
    }
  }
  return found;
}

const halfHour = fixesOf(30);

describe('the demo fleet', () => {
  it('the demo fleet has thirty vehicles that the API takes, with names, plates and terminals of their own', () => {
    const { vehicles } = recorded;
    expect(vehicles).toHaveLength(30);
    for (const { profile } of vehicles) expect(newVehicle.safeParse(profile).error).toBeUndefined();
    for (const field of ['terminal_id', 'name', 'plate', 'phone', 'driver'] as const) {
      expect(new Set(vehicles.map(({ profile }) => profile[field])).size).toBe(30);
    }
    expect(new Set(vehicles.map(({ profile }) => profile.type))).toEqual(
      new Set(['van', 'truck', 'bus', 'car']),
    );
    expect(vehicles.every(({ profile }) => /^\+44 7700 900\d{3}$/.test(profile.phone ?? ''))).toBe(true);
  });

  it('the demo fleet sends the same fixes for the same seed, however often it is stepped', () => {
    const whole = fixesOf(4);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 240_000 }), { maxLength: 12 }), (momentsMs) => {
        const fleet = createFleet(recorded, START);
        const moments = [...momentsMs.sort((a, b) => a - b), 240_000];
        const steps = moments.flatMap((ms) => fleet.step(new Date(START.getTime() + ms)));
        const sorted = (fixes: Fix[]) => fixes.map((fix) => JSON.stringify(fix)).sort();
        expect(sorted(steps)).toEqual(sorted(whole));
      }),
      { numRuns: 5 },
    );
    expect(JSON.stringify(createFleet(recordFleet(town, SEED + 1), START).step(at(60)))).not.toBe(
      JSON.stringify(fixesOf(1)),
    );
  });

  it('the demo fleet answers in order of time, never beyond the moment asked for, and nothing for a clock that goes back', () => {
    const fleet = createFleet(recorded, START);
    const fixes = fleet.step(at(120));
    const times = fixes
      .slice(1)
      .filter((fix) => secondsOf(fix) >= 0)
      .map(secondsOf);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.at(-1)).toBeLessThanOrEqual(120);
    expect(fleet.step(at(60))).toEqual([]);
  });

  it.each([1, 7])('the demo fleet makes the first minute worth watching, with seed %i', (seed) => {
    const fixes = fixesOf(1, seed);
    const quay = entersOf(fixes, 'Quay 4');
    expect(quay.some((second) => second <= 15)).toBe(true);
    const overspeed = overspeedsOf(fixes, 'Ring road');
    expect(overspeed.some((second) => second <= 30)).toBe(true);
    const ring = geofenceNamed('Ring road');
    const fast = fixes
      .filter((fix) => fix.speedKmh > 93 && secondsOf(fix) <= 30 && ring.holds(fix))
      .map(secondsOf);
    expect(Math.max(...fast) - Math.min(...fast)).toBeGreaterThan(10);
    const sos = fixes.filter((fix) => fix.sos);
    expect(
      sos.some(
        (fix) => secondsOf(fix) <= 45 && geofenceNamed('Fairfield school').holds(fix) && fix.speedKmh === 0,
      ),
    ).toBe(true);
  });

  it('the demo fleet goes on with something every one to three minutes', () => {
    const moments = [
      ...entersOf(halfHour, 'Quay 4'),
      ...entersOf(halfHour, 'Depot'),
      ...overspeedsOf(halfHour, 'Ring road'),
      ...overspeedsOf(halfHour, 'Fairfield school'),
      ...halfHour.filter((fix) => fix.sos).map(secondsOf),
    ].filter((second) => second > 60);
    expect(moments.length).toBeGreaterThanOrEqual(10);
    expect(moments.length).toBeLessThanOrEqual(45);
  });

  it('the demo fleet keeps every fix within 15 m of a street', () => {
    const cells = new Map<string, (readonly [{ x: number; y: number }, { x: number; y: number }])[]>();
    for (const segment of town.graph.edges.flatMap(({ points }) => segmentsOf(points))) {
      const [a, b] = segment;
      for (
        let x = Math.floor((Math.min(a.x, b.x) - 15) / 100);
        x <= Math.floor((Math.max(a.x, b.x) + 15) / 100);
        x += 1
      ) {
        for (
          let y = Math.floor((Math.min(a.y, b.y) - 15) / 100);
          y <= Math.floor((Math.max(a.y, b.y) + 15) / 100);
          y += 1
        ) {
          cells.set(`${x},${y}`, [...(cells.get(`${x},${y}`) ?? []), segment]);
        }
      }
    }
    const offStreet = halfHour.filter((fix) => {
      const point = toPlane(fix);
      const near = cells.get(`${Math.floor(point.x / 100)},${Math.floor(point.y / 100)}`) ?? [];
      return !near.some(([a, b]) => distanceM(point, nearestOnSegment(point, a, b)) <= 15);
    });
    expect(offStreet).toEqual([]);
  });

  it('the demo fleet drives as vehicles can: no faster than 95 km/h, braking and accelerating within reason', () => {
    expect(Math.max(...halfHour.map((fix) => fix.speedKmh))).toBeLessThan(96);
    let harsh = 0;
    for (const [before, fix] of pairsOf(halfHour)) {
      const seconds = secondsOf(fix) - secondsOf(before);
      if (seconds > 6) continue;
      const changeMs2 = (fix.speedKmh - before.speedKmh) / 3.6 / seconds;
      expect(changeMs2).toBeLessThan(2.3);
      // The few who brake at the last moment brake with 4.6; the noise of two speeds comes on top.
      expect(changeMs2).toBeGreaterThan(-5.2);
      if (changeMs2 < -3.5) harsh += 1;
      const wayM = distanceM(toPlane(before), toPlane(fix));
      const fastestMs = Math.max(before.speedKmh, fix.speedKmh) / 3.6 + 2;
      expect(wayM).toBeLessThan(fastestMs * seconds + 12);
    }
    expect(harsh).toBeGreaterThan(0);
    expect(harsh).toBeLessThan(20);
  });

  it('the demo fleet reports every 1 to 5 s under way and every 30 s at rest', () => {
    for (const [before, fix] of pairsOf(halfHour)) {
      const seconds = secondsOf(fix) - secondsOf(before);
      if (before.terminalId === 'alder-028') continue; // drops out on purpose
      expect(seconds).toBeGreaterThan(0.7);
      expect(seconds).toBeLessThan(before.speedKmh > 0 ? 5.6 : 30.6);
    }
  });

  it('the demo fleet mostly keeps to the limits: only the hurried and the scripted are over one for ten seconds', () => {
    const hurried = new Set(['alder-009', 'alder-017', 'alder-022']);
    const others = halfHour.filter(({ terminalId }) => !hurried.has(terminalId));
    expect(overspeedsOf(others, 'Ring road')).toEqual([]);
    expect(overspeedsOf(others, 'Fairfield school')).toEqual([]);
  });

  it('the demo fleet has vehicles parked, idling and silent', () => {
    const own = byVehicle(halfHour);
    const parked = own.get('alder-010') ?? [];
    expect(
      parked.every((fix) => fix.speedKmh === 0 && !fix.ignition && geofenceNamed('Depot').holds(fix)),
    ).toBe(true);
    expect((own.get('alder-027') ?? []).every((fix) => fix.speedKmh === 0 && fix.ignition)).toBe(true);
    const silent = own.get('alder-013') ?? [];
    expect(silent).toHaveLength(1);
    expect(silent.map(secondsOf)[0]).toBeGreaterThan(-760);
    expect(silent.map(secondsOf)[0]).toBeLessThan(-719);
  });

  it('the demo fleet counts the way driven', () => {
    for (const own of byVehicle(halfHour).values()) {
      const odometers = own.map(({ odometerM }) => odometerM);
      expect(odometers).toEqual([...odometers].sort((a, b) => a - b));
    }
  });

  it('the demo fleet goes on for hours, without a jump where an itinerary begins again', () => {
    const hoursLong = fixesOf(180);
    for (const { profile, period_ms } of recorded.vehicles) {
      if (period_ms === null) expect(profile.terminal_id).toBe('alder-013');
      else expect(period_ms).toBeLessThan(90 * 60_000);
    }
    for (const [before, fix] of pairsOf(hoursLong)) {
      const seconds = secondsOf(fix) - secondsOf(before);
      expect(fix.odometerM).toBeGreaterThanOrEqual(before.odometerM);
      if (before.terminalId === 'alder-028') continue; // drops out on purpose
      expect(seconds).toBeGreaterThan(0.7);
      expect(seconds).toBeLessThan(30.6);
      const fastestMs = Math.max(before.speedKmh, fix.speedKmh) / 3.6 + 2;
      if (seconds <= 6 || fix.speedKmh + before.speedKmh === 0)
        expect(distanceM(toPlane(before), toPlane(fix))).toBeLessThan(fastestMs * Math.min(seconds, 6) + 12);
    }
    const lastHour = byVehicle(hoursLong.filter((fix) => secondsOf(fix) > 7200));
    expect(lastHour.size).toBe(29);
    expect([...lastHour.values()].filter((own) => own.some(({ speedKmh }) => speedKmh > 0)).length).toBe(25);
  });
});

describe('the history of the demo fleet', () => {
  it('the history of the demo fleet covers the hours before the start, and the live fixes go on where it ends', () => {
    const fleet = createFleet(recorded, START, { historyHours: 1 });
    const history = [...fleet.history()];
    expect(Math.min(...history.map(secondsOf))).toBeGreaterThanOrEqual(-3600);
    expect(Math.max(...history.map(secondsOf))).toBeLessThanOrEqual(0);
    const times = history.map(secondsOf);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const live = byVehicle(fleet.step(at(60)));
    for (const [terminalId, past] of byVehicle(history)) {
      const [last, first] = [past.at(-1), live.get(terminalId)?.[0]];
      if (last === undefined || first === undefined) continue;
      expect(distanceM(toPlane(last), toPlane(first))).toBeLessThan(
        27 * (secondsOf(first) - secondsOf(last)) + 15,
      );
      expect(first.odometerM).toBeGreaterThanOrEqual(last.odometerM);
    }
    expect(entersOf([...live.values()].flat(), 'Quay 4').some((second) => second <= 15)).toBe(true);
  });

  it('the history of the demo fleet is empty unless asked for', () => {
    expect([...createFleet(recorded, START).history()]).toEqual([]);
  });
});
