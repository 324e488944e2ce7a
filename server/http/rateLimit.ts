import { isIPv4, isIPv6 } from 'node:net';

/** What the answer's headers say: `RateLimit-Limit`, `-Remaining`, `-Reset`, and `Retry-After` of a refusal. */
export interface RateLimitResult {
  allowed: boolean;
  limit: number;
  /** Calls that are free at this moment. */
  remaining: number;
  /** Whole seconds, rounded up, until the oldest counted call leaves the window; 0 with none counted. */
  resetS: number;
  /** Whole seconds until the block ends; 0 when allowed. */
  retryAfterS: number;
}

export interface WindowOptions {
  /** Calls in any `windowMs`; at least 1. */
  limit: number;
  windowMs: number;
  /** Keys with a call in the window that are counted separately; see `createWindow`. */
  maxKeys?: number;
}

/** An entry of a few hundred bytes each: some megabytes when an attack fills them all. */
const DEFAULT_MAX_KEYS = 20_000;

/** `now` is a monotonic clock in milliseconds and never goes back. */
export type SlidingWindow = ReturnType<typeof createWindow>;

/**
 * Counts calls per key, exactly: no stretch of `windowMs` ever holds more than `limit` of them, and a call is free
 * again when it is `windowMs` old. No key with a call in the window is ever forgotten; once `maxKeys` are known, a
 * new key is refused until one of them expires. (Forgetting one instead would free a blocked caller who comes from
 * enough addresses, sharing a window would let one caller block all newcomers for good.)
 */
export function createWindow({ limit, windowMs, maxKeys = DEFAULT_MAX_KEYS }: WindowOptions) {
  // In the order of their latest calls, so that whatever has expired stands first.
  const logs = new Map<string, CallLog>();

  function dropExpired(now: number): void {
    for (const [key, log] of logs) {
      if (now - log.latest() < windowMs) return;
      logs.delete(key);
    }
  }

  function tryAcquire(log: CallLog, now: number): RateLimitResult {
    log.dropUntil((at) => now - at >= windowMs);
    const remaining = Math.max(0, limit - log.size());
    const resetS = log.size() === 0 ? 0 : secondsUntilFree(log.oldest(), now);
    const allowed = remaining > 0;
    return { allowed, limit, remaining, resetS, retryAfterS: allowed ? 0 : resetS };
  }

  function secondsUntilFree(at: number, now: number): number {
    return Math.ceil((windowMs - (now - at)) / 1_000);
  }

  function judgeNewcomer(now: number): RateLimitResult {
    const [first] = logs.values();
    if (first === undefined || logs.size < maxKeys) {
      return { allowed: true, limit, remaining: limit, resetS: 0, retryAfterS: 0 };
    }
    const waitS = secondsUntilFree(first.latest(), now);
    return { allowed: false, limit, remaining: 0, resetS: waitS, retryAfterS: waitS };
  }

  function check(key: string, now: number): RateLimitResult {
    dropExpired(now);
    const log = logs.get(key);
    return log === undefined ? judgeNewcomer(now) : tryAcquire(log, now);
  }

  return {
    /** Whether a call would be allowed; counts nothing. */
    check,

    /** Counts the call unless it is refused; `remaining` is what is left after it. */
    count(key: string, now: number): RateLimitResult {
      const before = check(key, now);
      if (!before.allowed) return before;
      const log = logs.get(key) ?? createCallLog();
      log.add(now);
      logs.delete(key);
      logs.set(key, log);
      return { ...tryAcquire(log, now), allowed: true, retryAfterS: 0 };
    },

    /**
     * Takes back one call that was counted at `countedAt`. Whoever counts only what failed counts at the start and
     * takes back on success: attempts that run at the same time then cannot slip past the limit together.
     */
    takeBack(key: string, countedAt: number): void {
      const log = logs.get(key);
      if (log === undefined) return;
      log.remove(countedAt);
      if (log.size() === 0) logs.delete(key);
    },
  };
}

type CallLog = ReturnType<typeof createCallLog>;

/** Times in rising order; the front is cut off without moving the rest each time. */
function createCallLog() {
  let times: number[] = [];
  let start = 0;
  return {
    size: () => times.length - start,
    oldest: () => times[start] ?? Number.NEGATIVE_INFINITY,
    latest: () => times.at(-1) ?? Number.NEGATIVE_INFINITY,
    add(at: number): void {
      times.push(at);
    },
    remove(at: number): void {
      const index = times.lastIndexOf(at);
      if (index >= start) times.splice(index, 1);
    },
    dropUntil(isOver: (at: number) => boolean): void {
      while (start < times.length && isOver(times[start] ?? 0)) start += 1;
      if (start > times.length / 2) {
        times = times.slice(start);
        start = 0;
      }
    },
  };
}

/** All callers whose address is not known (their socket is gone) are one. */
const UNKNOWN_ADDRESS = 'unknown';

/**
 * The key under which an address is counted. `::1`, `::ffff:127.0.0.1` and `127.0.0.1` are one; an IPv4-mapped
 * address is its IPv4.
 *
 * A public IPv6 address counts by its /64: that is what one host is given (RFC 4291 §2.5.4, RFC 8981), and it could
 * take a new address out of 2^64 for every try. Link-local and unique local addresses count whole: they reach us
 * from the depot's own network only, where one /64 holds every workstation, and one colleague's wrong passwords must
 * not keep all the others out.
 */
export function normalizeAddress(remoteAddress: string | undefined): string {
  const address = remoteAddress?.split('%', 1)[0]?.toLowerCase();
  if (address === undefined || address === '') return UNKNOWN_ADDRESS;
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  const leading = groups.slice(0, 5).every((group) => group === 0);
  const [first = 0, , , , , sixth = 0, seventh = 0, eighth = 0] = groups;
  if (leading && sixth === 0xffff) {
    return [seventh >> 8, seventh & 0xff, eighth >> 8, eighth & 0xff].join('.');
  }
  if (leading && sixth === 0 && seventh === 0 && eighth === 1) return '127.0.0.1';
  const hex = groups.map((group) => group.toString(16));
  // 2000::/3 is the global unicast space (RFC 4291 §2.4 and IANA's registry).
  return first >> 13 === 1 ? `${hex.slice(0, 4).join(':')}::/64` : hex.join(':');
}

/** The eight 16-bit groups of a valid IPv6 address, `::` and a dotted IPv4 at its end written out. */
function groupsOf(address: string): number[] {
  const parse = (part: string): number[] =>
    part === ''
      ? []
      : part.split(':').flatMap((group) => {
          if (!isIPv4(group)) return [Number.parseInt(group, 16)];
          const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
          return [(a << 8) | b, (c << 8) | d];
        });
  const [head = '', tail] = address.split('::');
  const front = parse(head);
  if (tail === undefined) return front;
  const back = parse(tail);
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back];
}

/** Calls in any 60 seconds; what each counts stands in the API's description. */
export interface Limits {
  failed_attempts: number;
  authorized_calls: number;
  unauthorized_calls: number;
  /** Of maps, apart from all other calls. */
  tiles: number;
}

export const contractLimits: Limits = {
  failed_attempts: 10,
  authorized_calls: 180,
  unauthorized_calls: 60,
  tiles: 6_000,
};

const windowMs = 60_000;
/** Longer than a window of failed attempts: a flood from 30 addresses then is new for 30 hashes in ten minutes. */
const triedMs = 600_000;

export type CallLimits = ReturnType<typeof createCallLimits>;

export function createCallLimits(limits: Limits) {
  return {
    /** Per user id. */
    authorized: createWindow({ limit: limits.authorized_calls, windowMs }),
    /** Per user id: a map that is moved about asks for some hundred in a minute. */
    tiles: createWindow({ limit: limits.tiles, windowMs }),
    /** Per address: the map on the page of a link. */
    sharedTiles: createWindow({ limit: limits.tiles, windowMs }),
    /** Per address. */
    unauthorized: createWindow({ limit: limits.unauthorized_calls, windowMs }),
    /** Per address; an anonymous call is also rejected while this one is full. */
    failed: createWindow({ limit: limits.failed_attempts, windowMs }),
    /** Per address: a password was checked for it, whatever came of it. Orders the queue for hashes, refuses nobody. */
    tried: createWindow({ limit: 1, windowMs: triedMs }),
  };
}

/** Counts an anonymous call; it is rejected, and not counted, while its address is blocked for either reason. */
export function countUnauthorized(limits: CallLimits, address: string, now: number): RateLimitResult {
  const failed = limits.failed.check(address, now);
  return failed.allowed ? limits.unauthorized.count(address, now) : failed;
}
