import type { Position } from '../../server/contract/positions.ts';
import { oncePerFrame, type Frames } from '../clock/frames.ts';

/** What is known of a vehicle by its messages, newest first. */
export interface LivePosition {
  /** The newest message, whatever it holds. */
  last: Position;
  /** The newest one with a place that holds good; only this is drawn. */
  fix: Position | null;
  /** When the server heard of it last, milliseconds. */
  contactAt: number;
  /** Since when it has stood with its ignition on, milliseconds; null while it does not, or nobody saw. */
  idleSince: number | null;
}

/**
 * Takes one more message. Order and repetition do not matter for `last`, `fix` and `contactAt`: of two messages of
 * the same time the one that was received later holds.
 */
export function withPosition(
  before: LivePosition | undefined,
  message: Position,
  idleBelowKmh: number,
): LivePosition {
  const receivedAt = Date.parse(message.received_at);
  const last = before === undefined || isNewer(message, before.last) ? message : before.last;
  const fixBefore = before?.fix ?? null;
  const fix = message.valid && (fixBefore === null || isNewer(message, fixBefore)) ? message : fixBefore;
  const standsRunning = last.ignition === true && (last.speed_kmh ?? 0) < idleBelowKmh;
  return {
    last,
    fix,
    contactAt: Math.max(before?.contactAt ?? 0, receivedAt),
    idleSince: standsRunning ? (before?.idleSince ?? Date.parse(last.time)) : null,
  };
}

function isNewer(a: Position, b: Position): boolean {
  if (a.time !== b.time) return a.time > b.time;
  return a.received_at >= b.received_at;
}

/** What so many vehicles change at once is heavy to draw: it lets the operator's keys go first. */
const MANY_VEHICLES = 1_000;

/**
 * The newest positions: the hot path from the stream to the map, outside React. Messages are merged per vehicle as
 * they come, and published once per frame.
 *
 * @param heavyFrames for what many vehicles change
 */
export function createPositionStore(frames: Frames, heavyFrames: Frames, idleBelowKmh: () => number) {
  const live = new Map<string, LivePosition>();
  let changed = new Set<string>();
  /** Of all vehicles, milliseconds. */
  let newestContactAt: number | null = null;
  const frameHandlers = new Set<(changed: ReadonlySet<string>) => void>();
  const vehicleHandlers = new Map<string, Set<() => void>>();

  const publish = () => {
    const changes = changed;
    changed = new Set();
    for (const handle of frameHandlers) handle(changes);
    // Few vehicles are watched by a row, many move.
    for (const [id, handlers] of vehicleHandlers)
      if (changes.has(id)) for (const handle of handlers) handle();
  };
  const frame = oncePerFrame(() => (changed.size > MANY_VEHICLES ? heavyFrames : frames), publish);

  return {
    get: (vehicleId: string) => live.get(vehicleId),
    all: () => live,
    /** When the server heard of any terminal last, milliseconds; null: of none yet. */
    newestContactAt: () => newestContactAt,
    take(positions: readonly Position[]) {
      for (const position of positions) {
        const id = position.vehicle_id;
        const after = withPosition(live.get(id), position, idleBelowKmh());
        live.set(id, after);
        newestContactAt = Math.max(newestContactAt ?? 0, after.contactAt);
        changed.add(id);
      }
      if (changed.size > 0) frame.ask();
    },
    forget(vehicleId: string) {
      if (!live.delete(vehicleId)) return;
      changed.add(vehicleId);
      frame.ask();
    },
    /** The vehicles that moved, once per frame. */
    onFrame(handle: (changed: ReadonlySet<string>) => void) {
      frameHandlers.add(handle);
      return () => {
        frameHandlers.delete(handle);
      };
    },
    /** One vehicle, for a row or a panel. */
    onVehicle(vehicleId: string, handle: () => void) {
      const handlers = vehicleHandlers.get(vehicleId) ?? new Set();
      vehicleHandlers.set(vehicleId, handlers);
      handlers.add(handle);
      return () => {
        handlers.delete(handle);
        if (handlers.size === 0) vehicleHandlers.delete(vehicleId);
      };
    },
    stop: () => frame.stop(),
  };
}

export type PositionStore = ReturnType<typeof createPositionStore>;
