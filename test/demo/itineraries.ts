import { planDrive, type Drive, type DriverStyle, type DriveStop } from './drive.ts';
import type { VehicleRole } from './fleetRoster.ts';
import { findRoute, type Route } from './route.ts';
import type { SeededRandom } from './seededRandom.ts';
import { edgesOf } from './streetGraph.ts';
import type { Place, Town } from './townModel.ts';

/** What a vehicle does next. Times are seconds from the fleet's start, negative before it. */
export type Activity =
  | { kind: 'drive'; drive: Drive }
  | { kind: 'stand'; untilS: number; ignition: boolean }
  | { kind: 'silent'; untilS: number };

export interface ItineraryContext {
  town: Town;
  random: SeededRandom;
  style: DriverStyle;
  /** Node where the vehicle stands when the itinerary begins. */
  at: number;
  nowS(): number;
}

export type Itinerary = Generator<Activity, void, void>;

export const BUS_LINES = {
  'bus line 1': [
    'Westfield terminus',
    'Westfield Centre',
    'Castle Mall',
    'Fairfield school',
    'Easton Park Mall',
    'Hillside terminus',
  ],
  'bus line 2': [
    'Southbank terminus',
    'Alder hospital',
    'Alderbridge station',
    'Old Market',
    'Hillside terminus',
  ],
} as const;

const BUS_STOP_EVERY_M = 430;
/** About two emergencies an hour in the whole town: rare enough to be one, often enough to be seen. */
const SOS_CHANCE = 1 / 220;
const RED_LIGHT_CHANCE = 0.06;
const STOP_LINE_M = 14;
/** Stronger than the 3.5 m/s² from which braking counts as harsh. */
const HARSH_BRAKING_MS2 = 4.6;

/** @throws RangeError when the town has no place of that name. */
export function placeNamed(town: Town, name: string): Place {
  const place = town.places.find((candidate) => candidate.name === name);
  if (place === undefined) throw new RangeError(`the town has no place named ${name}`);
  return place;
}

/** Where a vehicle of the role stands when nobody has driven it yet. */
export function homeOf(role: VehicleRole, town: Town, random: SeededRandom): number {
  switch (role) {
    case 'bus line 1':
    case 'bus line 2':
      return placeNamed(town, random.pick([BUS_LINES[role][0], BUS_LINES[role].at(-1) ?? ''])).node;
    case 'haulage':
      return random.pick(town.places.filter(({ kind }) => kind === 'gateway')).node;
    case 'delivery':
      return yardNode(town, random, 'Depot yard');
    case 'parked':
      return yardNode(town, random, 'Depot yard');
    case 'idling':
      return placeNamed(town, 'Alder hospital').node;
    case 'silent':
    case 'dead spot':
    case 'service':
    case 'hurried':
      return streetNode(town, random);
  }
}

/** Endless; each yields what the vehicle does until it is asked again. */
export function itineraryOf(role: VehicleRole, context: ItineraryContext): Itinerary {
  switch (role) {
    case 'bus line 1':
    case 'bus line 2':
      return busService(context, BUS_LINES[role]);
    case 'haulage':
      return haulage(context);
    case 'delivery':
      return deliveries(context);
    case 'service':
      return visits(context, false);
    case 'hurried':
      return visits(context, true);
    case 'parked':
      return parked(context, false);
    case 'idling':
      return parked(context, true);
    case 'silent':
      return silence(context);
    case 'dead spot':
      return deadSpot(context);
  }
}

function* busService(context: ItineraryContext, line: readonly string[]): Itinerary {
  const { town, random, style } = context;
  const nodes = line.map((name) => placeNamed(town, name).node);
  let ahead = context.at === nodes.at(-1) ? nodes.toReversed() : nodes;
  yield standing(context, 10, 500, true);
  for (;;) {
    const route = findRoute(town.graph, ahead);
    context.at = ahead.at(-1) ?? context.at;
    yield { kind: 'drive', drive: planDrive(route, style, busStops(route, random)) };
    yield standing(context, 60, 200, true);
    ahead = ahead.toReversed();
  }
}

/** The named stops of the line, and others between them. */
export function busStops(route: Route, random: SeededRandom): DriveStop[] {
  const stops = route.viaM.slice(1, -1).map((atM) => ({ atM, waitS: random.integer(15, 28) }));
  for (let atM = BUS_STOP_EVERY_M; atM < route.lengthM - 200; atM += BUS_STOP_EVERY_M) {
    if (stops.some((stop) => Math.abs(stop.atM - atM) < 180)) continue;
    const isEmergency = random.chance(SOS_CHANCE);
    stops.push({ atM, waitS: random.integer(10, 22), ...(isEmergency ? { waitS: 240, sosAfterS: 12 } : {}) });
  }
  return stops;
}

function* haulage(context: ItineraryContext): Itinerary {
  const { town, random } = context;
  const gateways = town.places.filter(({ kind }) => kind === 'gateway');
  yield standing(context, 5, 600, false);
  for (;;) {
    yield* driveTo(context, yardNode(town, random, 'Quay 4'));
    yield standing(context, 240, 600, false);
    yield* driveTo(context, random.pick(gateways).node);
    yield standing(context, 150, 480, random.chance(0.3));
  }
}

function* deliveries(context: ItineraryContext): Itinerary {
  const { town, random } = context;
  yield standing(context, 5, 500, false);
  for (;;) {
    for (let left = random.integer(3, 6); left > 0; left -= 1) {
      yield* driveTo(context, streetNode(town, random));
      yield standing(context, 70, 260, random.chance(0.25));
    }
    yield* driveTo(context, yardNode(town, random, 'Depot yard'));
    yield standing(context, 240, 600, false);
  }
}

function* visits(context: ItineraryContext, isHurried: boolean): Itinerary {
  const { town, random, style } = context;
  yield standing(context, 5, 300, false);
  for (;;) {
    const speeds = isHurried && random.chance(0.6);
    const ring = isHurried ? [random.pick(ringNodes(town))] : [];
    const hurry = speeds
      ? { ...style, ringKmh: random.integer(76, 94), streetKmh: random.integer(42, 46) }
      : style;
    const school = random.chance(isHurried ? 0.4 : 0.15) ? [placeNamed(town, 'Fairfield school').node] : [];
    yield* driveTo({ ...context, style: hurry }, streetNode(town, random), [...ring, ...school], context);
    yield standing(context, 120, 420, random.chance(0.3));
  }
}

function* parked(context: ItineraryContext, ignition: boolean): Itinerary {
  for (;;) yield standing(context, 600, 600, ignition);
}

/** Last heard of twelve minutes before the start. */
function* silence(context: ItineraryContext): Itinerary {
  yield { kind: 'stand', untilS: -720, ignition: false };
  for (;;) yield { kind: 'silent', untilS: context.nowS() + 3600 };
}

/** Drives, then is not heard of for longer than the ten minutes that count as off line, and comes back. */
function* deadSpot(context: ItineraryContext): Itinerary {
  const { town, random } = context;
  yield standing(context, 5, 60, false);
  for (;;) {
    yield* driveTo(context, streetNode(town, random));
    yield standing(context, 60, 150, false);
    yield* driveTo(context, streetNode(town, random));
    yield { kind: 'silent', untilS: context.nowS() + random.integer(780, 1100) };
  }
}

function* driveTo(
  context: ItineraryContext,
  to: number,
  via: number[] = [],
  vehicle: ItineraryContext = context,
): Itinerary {
  const nodes = [context.at, ...via, to].filter((node, index, all) => node !== all[index - 1]);
  if (nodes.length < 2) return;
  const route = findRoute(context.town.graph, nodes);
  vehicle.at = to;
  yield { kind: 'drive', drive: planDrive(route, context.style, interruptions(route, context.random)) };
}

/** Red lights on main roads, and now and then something that runs into the road. */
function interruptions(route: Route, random: SeededRandom): DriveStop[] {
  const stops: DriveStop[] = [];
  let m = 0;
  for (const [index, point] of route.points.entries()) {
    const before = route.points[index - 1];
    if (before !== undefined) m += Math.hypot(point.x - before.x, point.y - before.y);
    if (point.junction !== 'arterial' || m < 60 || !random.chance(RED_LIGHT_CHANCE)) continue;
    stops.push({ atM: m - STOP_LINE_M, waitS: random.integer(6, 24) });
  }
  if (route.lengthM > 900 && random.chance(0.045)) {
    stops.push({ atM: random.between(400, route.lengthM - 300), waitS: 3, brakingMs2: HARSH_BRAKING_MS2 });
  }
  return stops;
}

function standing(context: ItineraryContext, fromS: number, toS: number, ignition: boolean): Activity {
  return { kind: 'stand', untilS: context.nowS() + context.random.integer(fromS, toS), ignition };
}

function streetNode(town: Town, random: SeededRandom): number {
  return random.pick(
    nodesWhere(town, (id) => edgesOf(town.graph, id).every((edge) => edge.roadClass === 'street')),
  );
}

function yardNode(town: Town, random: SeededRandom, name: string): number {
  return random.pick(nodesWhere(town, (id) => edgesOf(town.graph, id).every((edge) => edge.name === name)));
}

export function ringNodes(town: Town): number[] {
  return nodesWhere(town, (id) => edgesOf(town.graph, id).some((edge) => edge.ref === 'R1'));
}

function nodesWhere(town: Town, holds: (id: number) => boolean): number[] {
  return town.graph.nodes.map(({ id }) => id).filter(holds);
}
