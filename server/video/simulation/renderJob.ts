/** Where the vehicle was and how it moved at one instant. */
export interface RenderPosition {
  speed_kmh: number;
  course_deg: number;
  lat: number;
  lon: number;
}

/** A clip as it goes to the worker: instants in ms since 1970, positions once a second of the fragment. */
export interface RenderJob {
  vehicle: { name: string; plate: string };
  channel: { channel: number; name: string };
  fromMs: number;
  toMs: number;
  /** Frames per second, 1 to 25. */
  fps: number;
  /** The first one at `fromMs`, then one a second up to and including the end; null where nothing is known. */
  positions: (RenderPosition | null)[];
  /** Where the MP4 goes. */
  output: string;
}

export const POSITION_STEP_MS = 1000;

/** Frames that fill the fragment; the last one may be shorter than the others. */
export function frameCount({ fromMs, toMs, fps }: Pick<RenderJob, 'fromMs' | 'toMs' | 'fps'>): number {
  // A millisecond of slack: 30 s at 8 frames/s are 240 frames, whatever the rounding.
  return Math.max(1, Math.ceil(((toMs - fromMs - 1) * fps) / 1000));
}
