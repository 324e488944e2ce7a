import { placeOf, planDrive, secondsUntil, type Drive, type DriverStyle } from './drive.ts';
import { SCRIPTED } from './fleetRoster.ts';
import {
  BUS_LINES,
  busStops,
  placeNamed,
  ringNodes,
  type Itinerary,
  type ItineraryContext,
} from './itineraries.ts';
import { distanceM, insidePolygon } from './planeGeometry.ts';
import { findRoute } from './route.ts';
import { nodeOf } from './streetGraph.ts';
import { QUAY_FENCE } from './townPlan.ts';
import { PULLING_OUT_S } from './vehicleRun.ts';

/** When the first minute's events happen, in seconds from the start. */
const ENTERS_QUAY_S = 8;
const OVERSPEED_S = 6;
const BUS_STOPS_S = 20;
const SOS_AFTER_STOP_S = 16;
const SOS_WAIT_S = 210;

const OVERSPEED_KMH = 94;
/** 60 km/h and the 3 that are tolerated. */
const OVERSPEED_FROM_KMH = 63;

interface ScriptedPart {
  /** Where the vehicle must stand before its part. */
  from: number;
  /** Where its part leaves it. */
  to: number;
  drive: Drive;
  departS: number;
}

/** The part of one of the three vehicles that make the first minute worth watching; null for all others. */
export function scriptedPart(name: string, context: Omit<ItineraryContext, 'at'>): ScriptedPart | null {
  switch (name) {
    case SCRIPTED.quay:
      return entersQuay(context);
    case SCRIPTED.overspeed:
      return speedsOnRing(context);
    case SCRIPTED.sos:
      return callsForHelp(context);
    default:
      return null;
  }
}

/** Round trips for as long as they fit, then the part on time, then whatever the vehicle does otherwise. */
export function* withPart(
  part: ScriptedPart,
  context: ItineraryContext,
  otherwise: () => Itinerary,
): Itinerary {
  const { town, style } = context;
  const there = planDrive(findRoute(town.graph, [part.from, part.to]), style);
  const back = planDrive(findRoute(town.graph, [part.to, part.from]), style);
  const roundTripS = secondsUntil(there, () => false) + secondsUntil(back, () => false);
  const restS = 420;
  while (context.nowS() + restS + roundTripS + restS < part.departS) {
    yield { kind: 'stand', untilS: context.nowS() + restS, ignition: false };
    yield { kind: 'drive', drive: there };
    yield { kind: 'stand', untilS: context.nowS() + restS / 2, ignition: false };
    yield { kind: 'drive', drive: back };
  }
  yield { kind: 'stand', untilS: part.departS, ignition: true };
  yield { kind: 'drive', drive: part.drive };
  context.at = part.to;
  yield* otherwise();
}

function entersQuay({ town, style }: Omit<ItineraryContext, 'at'>): ScriptedPart {
  const from = placeNamed(town, 'A4 east').node;
  const to = placeNamed(town, 'Quay 4').node;
  const drive = planDrive(findRoute(town.graph, [from, to]), style);
  const entersS = secondsUntil(drive, (state) => insidePolygon(placeOf(drive, state).point, QUAY_FENCE));
  return { from, to, drive, departS: ENTERS_QUAY_S - entersS - PULLING_OUT_S };
}

function speedsOnRing({ town, style }: Omit<ItineraryContext, 'at'>): ScriptedPart {
  const from = placeNamed(town, 'Westfield Centre').node;
  const to = placeNamed(town, 'Easton Park Mall').node;
  const north = { x: -450, y: 1640 };
  const via = ringNodes(town).reduce((nearest, node) =>
    distanceM(nodeOf(town.graph, node).point, north) < distanceM(nodeOf(town.graph, nearest).point, north)
      ? node
      : nearest,
  );
  const hurried: DriverStyle = { ...style, accelerationMs2: 1.8, ringKmh: OVERSPEED_KMH };
  const drive = planDrive(findRoute(town.graph, [from, via, to]), hurried);
  const isTooFast = OVERSPEED_FROM_KMH / 3.6;
  const speedsS = secondsUntil(
    drive,
    (state) => state.speedMs > isTooFast && (drive.capMs[state.segment] ?? 0) >= OVERSPEED_KMH / 3.6,
  );
  return { from, to, drive, departS: OVERSPEED_S - speedsS - PULLING_OUT_S };
}

function callsForHelp({ town, style, random }: Omit<ItineraryContext, 'at'>): ScriptedPart {
  const nodes = BUS_LINES['bus line 1'].map((name) => placeNamed(town, name).node);
  const route = findRoute(town.graph, nodes);
  const schoolM = route.viaM[BUS_LINES['bus line 1'].indexOf('Fairfield school')] ?? 0;
  const stops = busStops(route, random)
    .filter((stop) => stop.sosAfterS === undefined)
    .map((stop) =>
      stop.atM === schoolM ? { ...stop, waitS: SOS_WAIT_S, sosAfterS: SOS_AFTER_STOP_S } : stop,
    );
  const drive = planDrive(route, style, stops);
  const school = drive.stops.findIndex((stop) => stop.sosAfterS !== undefined);
  // The wait at the school itself follows the arrival and is not part of the way there.
  const arrivesS = secondsUntil(drive, (state) => state.nextStop > school) - SOS_WAIT_S;
  return {
    from: nodes[0] ?? 0,
    to: nodes.at(-1) ?? 0,
    drive,
    departS: BUS_STOPS_S - arrivesS - PULLING_OUT_S,
  };
}
