import { z } from 'zod';
import { event, type Event } from '../../../server/contract/events.ts';
import { position, type Position } from '../../../server/contract/positions.ts';
import type { Task } from '../../../server/contract/video.ts';

/** The moment that clips show: a vehicle and a span, milliseconds since 1970. */
export interface VehicleTimeRange {
  vehicleId: string;
  from: number;
  to: number;
}

type Shown = Pick<Task, 'vehicle_id' | 'from' | 'to'>;

/** What else is known of a moment than its pictures. */
export interface CachedContext {
  /** In order of time. */
  positions: readonly Position[];
  events: readonly Event[];
}

/** The longest clip that can be requested, at a fix a second, with room at either end; about a megabyte. */
const MOST_FIXES = 4_000;
const MOST_EVENTS = 200;

const document = z.object({
  format: z.literal(1),
  positions: z.array(position).max(MOST_FIXES),
  events: z.array(event).max(MOST_EVENTS),
});

export const spanOf = (clip: Shown): VehicleTimeRange => ({
  vehicleId: clip.vehicle_id,
  from: Date.parse(clip.from),
  to: Date.parse(clip.to),
});

export const isOfMoment = (clip: Shown, span: VehicleTimeRange): boolean =>
  clip.vehicle_id === span.vehicleId &&
  Date.parse(clip.from) === span.from &&
  Date.parse(clip.to) === span.to;

/** The name of the file beside the clips. */
export const momentName = ({ vehicleId, from, to }: VehicleTimeRange): string =>
  `moment-${encodeURIComponent(vehicleId)}-${from}-${to}.json`;

/** As text of a bounded size: a longer track is thinned, and what a terminal adds of its own is left out. */
export function writeMoment({ positions, events }: CachedContext): string {
  return JSON.stringify({
    format: 1,
    positions: thinned(positions).map((it) => ({ ...it, attributes: {} })),
    events: events.slice(0, MOST_EVENTS),
  });
}

/** Null for what cannot be read: it is a copy of what the depot has. */
export function readMoment(text: string): CachedContext | null {
  try {
    const { positions, events } = document.parse(JSON.parse(text));
    return { positions, events };
  } catch {
    return null;
  }
}

/** Evenly over the whole, with the first and the last. */
function thinned<T>(list: readonly T[]): readonly T[] {
  if (list.length <= MOST_FIXES) return list;
  const step = (list.length - 1) / (MOST_FIXES - 1);
  return Array.from({ length: MOST_FIXES }, (_, index) => list[Math.round(index * step)]).filter(
    (it) => it !== undefined,
  );
}
