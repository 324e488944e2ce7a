import type { Visit } from '../geofences/visits.ts';
import { pieceOf } from './clipSegment.ts';
import type { ReportFix } from './reportFix.ts';
import type { TimelineSegment } from './timeline.ts';

/** What a vehicle did while it was inside. */
export interface VisitDistance {
  /** Driven; jitter while standing is no way. */
  distance_m: number;
  max_speed_kmh: number | null;
}

/**
 * The ways of visits, in their order; they may overlap. Where a visit begins or ends between two fixes, it has its share
 * of the way between them.
 *
 * @param visits in order of their beginning
 * @param legs a timeline that spans them
 */
export function visitDistances(visits: readonly Visit[], legs: Iterable<TimelineSegment>): VisitDistance[] {
  const ways = visits.map((): VisitDistance => ({ distance_m: 0, max_speed_kmh: null }));
  const last_ms = visits.reduce((latest, it) => Math.max(latest, it.exit_ms), -Infinity);
  let begun = 0;
  let inside: number[] = [];
  let isFirst = true;
  for (const leg of legs) {
    if (leg.from.time_ms > last_ms) break;
    while ((visits[begun]?.enter_ms ?? Infinity) <= leg.to.time_ms) inside.push(begun++);
    for (const at of inside) {
      const [visit, way] = [visits[at], ways[at]];
      if (visit === undefined || way === undefined) continue;
      const piece = pieceOf(leg, { from_ms: visit.enter_ms, to_ms: visit.exit_ms });
      if (piece !== null && leg.mark?.kind === 'trip') way.distance_m += piece.distance_m;
      for (const fix of isFirst ? [leg.from, leg.to] : [leg.to]) addSpeed(way, visit, fix);
    }
    inside = inside.filter((at) => (visits[at]?.exit_ms ?? -Infinity) > leg.to.time_ms);
    isFirst = false;
  }
  return ways;
}

function addSpeed(way: VisitDistance, { enter_ms, exit_ms }: Visit, { time_ms, speed_kmh }: ReportFix): void {
  if (speed_kmh === null || time_ms < enter_ms || time_ms > exit_ms) return;
  way.max_speed_kmh = Math.max(way.max_speed_kmh ?? 0, speed_kmh);
}
