import { between, type RenderPosition } from '../simulation/journey.ts';
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

/** A simulated camera: its clips show the drive of the track. */
export function createSimulatedTerminal({
  clip,
  vehicleOf,
  trackSamples,
  clock,
}: SimulatedTerminalDeps): Terminal {
  return {
    async fetchFragment({ vehicle_id, channel, from_ms, to_ms, output, signal, onProgress }) {
      const samples = await trackSamples(vehicle_id, from_ms - holdsMs, to_ms + holdsMs);
      const vehicle = vehicleOf(vehicle_id);
      const request = {
        vehicle: { name: vehicle?.name ?? '', plate: vehicle?.plate ?? '' },
        channel,
        from: new Date(from_ms),
        to: new Date(to_ms),
        position: (at: Date) => positionAt(samples, at.getTime()),
        output,
      };
      await clip.clip(request, signal, (fraction) => onProgress(fraction, null));
      return from_ms;
    },
    isOnline: () => Promise.resolve(true),
    recordings({ channels, from_ms, to_ms }) {
      const end_ms = Math.min(to_ms, clock.now());
      if (end_ms <= from_ms) return Promise.resolve([]);
      const period = { from: rfc3339(from_ms), to: rfc3339(end_ms) };
      return Promise.resolve(
        channels.map((channel) => ({ channel, ...period, stream: null, size_bytes: null, alarm: false })),
      );
    },
  };
}

function rfc3339(ms: number): string {
  return new Date(ms).toISOString();
}

/** Between two samples on the line from one to the other; before the first and after the last where it stands. */
export function positionAt(samples: readonly TrackSample[], at_ms: number): RenderPosition | null {
  const after = samples.findIndex((it) => it.time_ms > at_ms);
  const before = samples[(after < 0 ? samples.length : after) - 1];
  const then = after < 0 ? undefined : samples[after];
  if (before === undefined || at_ms - before.time_ms > holdsMs) {
    return then === undefined || then.time_ms - at_ms > holdsMs ? null : standing(then);
  }
  if (then === undefined || then.time_ms - before.time_ms > holdsMs) {
    return at_ms === before.time_ms ? moving(before) : standing(before);
  }
  const fraction = (at_ms - before.time_ms) / (then.time_ms - before.time_ms);
  return between(moving(before), moving({ ...then, course_deg: then.course_deg ?? before.course_deg }), fraction);
}

function moving({ lat, lon, speed_kmh, course_deg }: TrackSample): RenderPosition {
  return { lat, lon, speed_kmh: speed_kmh ?? 0, course_deg: course_deg ?? 0 };
}

function standing(sample: TrackSample): RenderPosition {
  return { ...moving(sample), speed_kmh: 0 };
}
