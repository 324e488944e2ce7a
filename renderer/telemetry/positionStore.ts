import type { Position } from '../../server/contract/positions.ts';
import { oncePerFrame, type Frames } from '../clock/frames.ts';
import { withPosition, type LivePosition } from './livePosition.ts';

/**
 * The newest positions: the hot path from the stream to the map, outside React. Messages are merged per vehicle as
 * they come, and published once per frame.
 */
export interface PositionStore {
  get(vehicleId: string): LivePosition | undefined;
  all(): ReadonlyMap<string, LivePosition>;
  take(positions: readonly Position[]): void;
  forget(vehicleId: string): void;
  /** The vehicles that moved, once per frame. */
  onFrame(handle: (changed: ReadonlySet<string>) => void): () => void;
  /** One vehicle, for a row or a panel. */
  onVehicle(vehicleId: string, handle: () => void): () => void;
  stop(): void;
}

export function createPositionStore(frames: Frames, idleBelowKmh: () => number): PositionStore {
  const live = new Map<string, LivePosition>();
  let changed = new Set<string>();
  const frameHandlers = new Set<(changed: ReadonlySet<string>) => void>();
  const vehicleHandlers = new Map<string, Set<() => void>>();

  const frame = oncePerFrame(frames, () => {
    const shown = changed;
    changed = new Set();
    for (const handle of frameHandlers) handle(shown);
    // Few vehicles are watched by a row, many move.
    for (const [id, handlers] of vehicleHandlers) if (shown.has(id)) for (const handle of handlers) handle();
  });

  return {
    get: (vehicleId) => live.get(vehicleId),
    all: () => live,
    take(positions) {
      for (const position of positions) {
        const id = position.vehicle_id;
        live.set(id, withPosition(live.get(id), position, idleBelowKmh()));
        changed.add(id);
      }
      if (changed.size > 0) frame.ask();
    },
    forget(vehicleId) {
      if (!live.delete(vehicleId)) return;
      changed.add(vehicleId);
      frame.ask();
    },
    onFrame(handle) {
      frameHandlers.add(handle);
      return () => {
        frameHandlers.delete(handle);
      };
    },
    onVehicle(vehicleId, handle) {
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
