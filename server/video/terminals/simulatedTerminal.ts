import { between, POSITION_STEP_MS, type RenderPosition } from '../simulation/journey.ts';
import type { RenderService } from '../simulation/renderService.ts';
import type { Terminal } from './terminal.ts';

/** Where a vehicle was, by its track. */
export interface TrackSample {
  time_ms: number;
  lat: number;
  lon: number;
  speed_kmh: number | null;
  course_deg: number | null;
}

/** The valid positions of a vehicle from `from_ms` to `to_ms`, both included, in order of time. */
export type TrackSamples = (vehicleId: string, from_ms: number, to_ms: number) => Promise<TrackSample[]>;

export interface SimulatedTerminalDeps {
  clip: Pick<RenderService, 'clip'>;
  vehicleOf: (vehicleId: string) => { name: string; plate: string | null } | undefined;
  trackSamples: TrackSamples;
  clock: { now(): number };
}

/** A position holds for this long: terminals that stand still report seldom, every 5 min or so. */
const holdsMs = 10 * 60_000;
/** Frames per second: smooth enough to see a lane change, and half of the encoder's work at 16. */
const fps = 8;

/** A simulated camera: its clips show the drive of the track. */
export function createSimulatedTerminal(deps: SimulatedTerminalDeps): Terminal {
  return {
    async fetchFragment({ vehicle_id, channel, from_ms, to_ms, output, signal, onProgress }) {
      const samples = await deps.trackSamples(vehicle_id, from_ms - holdsMs, to_ms + holdsMs);
      const { name = '', plate = null } = deps.vehicleOf(vehicle_id) ?? {};
      const positions = Array.from(
        { length: Math.ceil((to_ms - from_ms) / POSITION_STEP_MS) + 1 },
        (_, index) => positionAt(samples, from_ms + index * POSITION_STEP_MS),
      );
      const vehicle = { name, plate: plate ?? '' };
      const job = { vehicle, channel, fromMs: from_ms, toMs: to_ms, fps, positions, output };
      await deps.clip.clip(job, signal, (fraction) => onProgress(fraction, null));
      return from_ms;
    },
    isOnline: () => true,
    recordings({ channels, from_ms, to_ms }) {
      const end_ms = Math.min(to_ms, deps.clock.now());
      if (end_ms <= from_ms) return Promise.resolve([]);
      const period = { from: new Date(from_ms).toISOString(), to: new Date(end_ms).toISOString() };
      return Promise.resolve(
        channels.map((channel) => ({ channel, ...period, stream: null, size_bytes: null, alarm: false })),
      );
    },
  };
}

/** Between two samples on the line from one to the other; before the first and after the last where it stands. */
export function positionAt(samples: readonly TrackSample[], at_ms: number): RenderPosition | null {
  const after = samples.findIndex((it) => it.time_ms > at_ms);
  const before = samples[(after < 0 ? samples.length : after) - 1];
  const then = after < 0 ? undefined : samples[after];
  if (before === undefined || at_ms - before.time_ms > holdsMs) {
    return then === undefined || then.time_ms - at_ms > holdsMs ? null : { ...moving(then), speed_kmh: 0 };
  }
  if (then === undefined || then.time_ms - before.time_ms > holdsMs) {
    return at_ms === before.time_ms ? moving(before) : { ...moving(before), speed_kmh: 0 };
  }
  const fraction = (at_ms - before.time_ms) / (then.time_ms - before.time_ms);
  return between(
    moving(before),
    moving({ ...then, course_deg: then.course_deg ?? before.course_deg }),
    fraction,
  );
}

function moving({ lat, lon, speed_kmh, course_deg }: TrackSample): RenderPosition {
  return { lat, lon, speed_kmh: speed_kmh ?? 0, course_deg: course_deg ?? 0 };
}
