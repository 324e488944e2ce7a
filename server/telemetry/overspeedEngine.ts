import { isEmpty } from './engineContext.ts';

/** A fix as the engine needs it; speed in km/h, times in Unix ms. */
export interface SpeedFix {
  time_ms: number;
  lat: number;
  lon: number;
  speed_kmh: number | null;
}

/** One limit that a vehicle is measured against: the rule's own, or the one that holds where it is. */
export interface SpeedLimit {
  /** `base` for the limit of the place or the vehicle, else the rule's id. */
  key: string;
  /** Null: there is no limit here right now. */
  limit_kmh: number | null;
  limit_source: 'rule' | 'geofence' | 'vehicle';
  geozone_id: string | null;
  rule_version: number | null;
  tolerance_kmh: number;
  min_duration_s: number;
}

/** A stretch above a limit; it is announced once it has lasted, and again when its peak grows and when it ends. */
interface Episode {
  /** Null until it has lasted for `min_duration_s`. */
  event_id: string | null;
  limit_kmh: number;
  limit_source: SpeedLimit['limit_source'];
  geozone_id: string | null;
  rule_version: number | null;
  since_ms: number;
  /** The fix that began it; left out in a state of 0.1.0. */
  first?: SpeedFix;
  /** The fix at which it was announced, and when that was received. */
  announced: (SpeedFix & { received_ms: number }) | null;
  peak: SpeedFix;
  announced_peak_kmh: number;
  last_over: SpeedFix;
  /** Since when it is below the limit again. */
  below_since_ms: number | null;
}

export type Episodes = Readonly<Record<string, Episode>>;

export interface EpisodeUpdate {
  key: string;
  change: 'began' | 'grew' | 'ended';
  event_id: string;
  episode: Episode;
  ended_ms: number | null;
}

/** A peak that grows by less is not worth a message. */
const worthTellingKmh = 1;

/**
 * Moves one vehicle's episodes by one fix. Pure; `newId` names an event when an episode is announced. When fixes come
 * at longer intervals than `min_duration_s`, one fix above the limit suffices.
 */
export function advanceOverspeed(step: {
  limits: readonly SpeedLimit[];
  before: Episodes;
  previous: SpeedFix | null;
  fix: SpeedFix & { received_ms: number };
  /** Below the limit for so long ends an episode, and a longer gap without fixes does so too. */
  quiet_s: number;
  gap_s: number;
  newId: () => string;
}): { after: Episodes; updates: readonly EpisodeUpdate[] } {
  const { limits, before, previous, newId } = step;
  // Episodes go into the store with each batch: they keep nothing that a caller's fix holds beside.
  const { time_ms, lat, lon, speed_kmh, received_ms } = step.fix;
  if (isEmpty(before) && isWithinAll(limits, speed_kmh)) return quiet;
  const fix: SpeedFix = { time_ms, lat, lon, speed_kmh };
  const quietMs = step.quiet_s * 1_000;
  const after: Record<string, Episode> = {};
  const updates: EpisodeUpdate[] = [];
  const gapMs = previous === null ? null : time_ms - previous.time_ms;
  const isGap = gapMs !== null && gapMs > step.gap_s * 1_000;

  function end(key: string, episode: Episode, ended_ms: number): void {
    if (episode.event_id === null) return;
    updates.push({ key, change: 'ended', event_id: episode.event_id, episode, ended_ms });
  }

  for (const key in before) {
    const episode = before[key];
    if (episode === undefined) continue;
    if (isGap) end(key, episode, episode.last_over.time_ms);
    else if (!limits.some((it) => it.key === key)) end(key, episode, time_ms);
  }

  for (const limit of limits) {
    const { key, limit_kmh } = limit;
    const episode = isGap ? undefined : before[key];
    if (speed_kmh === null) {
      if (episode !== undefined) after[key] = episode;
      continue;
    }
    // To begin an episode the tolerance must be passed; one that was announced goes on down to the limit itself.
    const needed_kmh = (limit_kmh ?? 0) + (episode?.event_id == null ? limit.tolerance_kmh : 0);
    if (limit_kmh === null || speed_kmh <= needed_kmh) {
      const still = episode === undefined ? null : below(key, episode, fix, quietMs, gapMs, end);
      if (still !== null) after[key] = still;
      continue;
    }
    const next = above(limit, limit_kmh, episode, fix, speed_kmh);
    const lastedMs = time_ms - next.since_ms;
    const neededMs = limit.min_duration_s * 1_000;
    const sparse = episode === undefined && gapMs !== null && gapMs >= neededMs;
    if (next.event_id === null && (lastedMs >= neededMs || sparse)) {
      next.event_id = newId();
      next.announced = { ...fix, received_ms };
      next.announced_peak_kmh = next.peak.speed_kmh ?? 0;
      updates.push({ key, change: 'began', event_id: next.event_id, episode: next, ended_ms: null });
    } else if (
      next.event_id !== null &&
      (next.peak.speed_kmh ?? 0) >= next.announced_peak_kmh + worthTellingKmh
    ) {
      next.announced_peak_kmh = next.peak.speed_kmh ?? 0;
      updates.push({ key, change: 'grew', event_id: next.event_id, episode: next, ended_ms: null });
    }
    after[key] = next;
  }
  return { after, updates };
}

const quiet: { after: Episodes; updates: readonly EpisodeUpdate[] } = { after: {}, updates: [] };

function isWithinAll(limits: readonly SpeedLimit[], speed_kmh: number | null): boolean {
  if (speed_kmh === null) return true;
  for (const { limit_kmh, tolerance_kmh } of limits) {
    if (limit_kmh !== null && speed_kmh > limit_kmh + tolerance_kmh) return false;
  }
  return true;
}

/** Above the limit: begins an episode or carries it on. The limit that was passed first stays the episode's own. */
function above(
  limit: SpeedLimit,
  limit_kmh: number,
  episode: Episode | undefined,
  fix: SpeedFix,
  speed_kmh: number,
): Episode {
  if (episode === undefined) {
    return {
      event_id: null,
      limit_kmh,
      limit_source: limit.limit_source,
      geozone_id: limit.geozone_id,
      rule_version: limit.rule_version,
      since_ms: fix.time_ms,
      first: fix,
      announced: null,
      peak: fix,
      announced_peak_kmh: 0,
      last_over: fix,
      below_since_ms: null,
    };
  }
  const peak = speed_kmh > (episode.peak.speed_kmh ?? 0) ? fix : episode.peak;
  return { ...episode, peak, last_over: fix, below_since_ms: null };
}

/** Below the limit: an episode that was not announced yet is none; another one ends once it has been quiet. */
function below(
  key: string,
  episode: Episode,
  fix: SpeedFix,
  quietMs: number,
  gapMs: number | null,
  end: (key: string, episode: Episode, ended_ms: number) => void,
): Episode | null {
  if (episode.event_id === null) return null;
  const since = episode.below_since_ms ?? fix.time_ms;
  if (fix.time_ms - since >= quietMs || (gapMs !== null && gapMs >= quietMs)) {
    end(key, episode, since);
    return null;
  }
  return { ...episode, below_since_ms: since };
}
