import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWindow, normalizeAddress, type RateLimitResult } from '../../../server/http/rateLimit.ts';

const WINDOW_MS = 60_000;

/** The rule itself, without any care for memory or time. */
function createReference(limit: number, windowMs: number) {
  const calls: { key: string; at: number }[] = [];
  const live = (key: string, now: number) =>
    calls.filter((call) => call.key === key && now - call.at < windowMs).map(({ at }) => at);
  const verdict = (key: string, now: number): RateLimitResult => {
    const times = live(key, now);
    const remaining = limit - times.length;
    const resetS = times.length === 0 ? 0 : Math.ceil((Math.min(...times) + windowMs - now) / 1_000);
    return { allowed: remaining > 0, limit, remaining, resetS, retryAfterS: remaining > 0 ? 0 : resetS };
  };
  return {
    check: verdict,
    count(key: string, now: number): RateLimitResult {
      const before = verdict(key, now);
      if (!before.allowed) return before;
      calls.push({ key, at: now });
      return { ...verdict(key, now), allowed: true, retryAfterS: 0 };
    },
    takeBack(key: string, countedAt: number): void {
      const index = calls.findLastIndex((call) => call.key === key && call.at === countedAt);
      if (index >= 0) calls.splice(index, 1);
    },
    keysAlive: (now: number) => new Set(calls.filter((c) => now - c.at < windowMs).map((c) => c.key)).size,
    has: (key: string, now: number) => live(key, now).length > 0,
  };
}

const step = fc.record({
  kind: fc.constantFrom('check', 'count', 'count', 'count', 'takeBack'),
  key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  which: fc.nat(5),
  // Multiples of a quarter window make calls meet the border exactly.
  pauseMs: fc.oneof(fc.constantFrom(0, 0, 1, 15_000, 59_999, 60_000), fc.nat(20_000)),
});

describe('the window', () => {
  it('the window decides as the rule says, for any calls of any keys at any times', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.array(step, { maxLength: 80 }), (limit, steps) => {
        const window = createWindow({ limit, windowMs: WINDOW_MS });
        const reference = createReference(limit, WINDOW_MS);
        const counted = new Map<string, number[]>();
        let now = 0;
        for (const { kind, key, which, pauseMs } of steps) {
          now += pauseMs;
          if (kind === 'takeBack') {
            const [at] = counted.get(key)?.splice(which, 1) ?? [];
            if (at === undefined) continue;
            window.takeBack(key, at);
            reference.takeBack(key, at);
          } else if (kind === 'check') {
            expect(window.check(key, now)).toEqual(reference.check(key, now));
          } else {
            const verdict = window.count(key, now);
            expect(verdict).toEqual(reference.count(key, now));
            if (verdict.allowed) counted.set(key, [...(counted.get(key) ?? []), now]);
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('the window never forgets a key that has a call in it, and refuses newcomers while it knows as many as it may', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const maxKeys = 3;
        const window = createWindow({ limit: 2, windowMs: WINDOW_MS, maxKeys });
        const reference = createReference(2, WINDOW_MS);
        let now = 0;
        for (const { key, pauseMs } of steps) {
          now += pauseMs;
          const isTurnedAway = !reference.has(key, now) && reference.keysAlive(now) >= maxKeys;
          const verdict = window.count(key, now);
          if (isTurnedAway) {
            expect(verdict).toMatchObject({ allowed: false, remaining: 0 });
            expect(verdict.retryAfterS).toBeGreaterThan(0);
            expect(window.check(key, now + verdict.retryAfterS * 1_000).allowed).toBe(true);
            // Looking ahead dropped what has expired by then: take the rest of the run as done.
            return;
          }
          expect(verdict).toEqual(reference.count(key, now));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('the window counts down, refuses past the limit and says when the block ends', () => {
    const window = createWindow({ limit: 2, windowMs: WINDOW_MS });
    expect(window.check('a', 0)).toEqual({
      allowed: true,
      limit: 2,
      remaining: 2,
      resetS: 0,
      retryAfterS: 0,
    });
    expect(window.count('a', 0)).toEqual({
      allowed: true,
      limit: 2,
      remaining: 1,
      resetS: 60,
      retryAfterS: 0,
    });
    expect(window.count('a', 500)).toEqual({
      allowed: true,
      limit: 2,
      remaining: 0,
      resetS: 60,
      retryAfterS: 0,
    });
    expect(window.count('a', 900)).toEqual({
      allowed: false,
      limit: 2,
      remaining: 0,
      resetS: 60,
      retryAfterS: 60,
    });
    expect(window.count('b', 900).allowed).toBe(true);
  });

  it('the window ends a block when the oldest call is 60 s old, not earlier and not by the clock minute', () => {
    const window = createWindow({ limit: 2, windowMs: WINDOW_MS });
    window.count('a', 59_000);
    window.count('a', 61_000);
    expect(window.count('a', 118_999.9)).toMatchObject({ allowed: false, retryAfterS: 1 });
    expect(window.count('a', 119_000).allowed).toBe(true);
    expect(window.count('a', 120_999)).toMatchObject({ allowed: false, retryAfterS: 1 });
    expect(window.count('a', 121_000).allowed).toBe(true);
  });

  it('the window does not count refused calls: further attempts do not make a block longer', () => {
    const window = createWindow({ limit: 1, windowMs: WINDOW_MS });
    window.count('a', 0);
    for (let now = 1_000; now < WINDOW_MS; now += 1_000) {
      expect(window.count('a', now).allowed).toBe(false);
    }
    expect(window.count('a', WINDOW_MS).allowed).toBe(true);
  });

  it('the window takes back the reported call, and none in the place of one that has expired', () => {
    const window = createWindow({ limit: 4, windowMs: WINDOW_MS });
    window.count('a', 0);
    for (const now of [30_000, 40_000, 50_000]) window.count('a', now);
    expect(window.check('a', 60_000).remaining).toBe(1);
    window.takeBack('a', 0);
    expect(window.check('a', 60_000)).toMatchObject({ remaining: 1, resetS: 30 });
    window.takeBack('a', 30_000);
    expect(window.check('a', 60_000)).toMatchObject({ remaining: 2, resetS: 40 });
    window.takeBack('unknown', 0);
  });

  it('the window stays blocked for a key whose owner fills the memory with other keys', () => {
    const window = createWindow({ limit: 1, windowMs: WINDOW_MS, maxKeys: 100 });
    window.count('attacker', 0);
    for (let i = 0; i < 1_000; i += 1) window.count(`other ${i}`, 10 + i);
    expect(window.check('attacker', 59_999).allowed).toBe(false);
    expect(window.check('newcomer', 59_999)).toMatchObject({ allowed: false, retryAfterS: 1 });
    expect(window.check('newcomer', 60_000).allowed).toBe(true);
  });

  it('the window stays exact with more calls than a list could shift one by one', () => {
    const limit = 200_000;
    const window = createWindow({ limit, windowMs: WINDOW_MS });
    // Eighths are exact in binary.
    for (let i = 0; i < limit; i += 1) window.count('bench', i / 8);
    expect(window.check('bench', 25_000)).toMatchObject({ allowed: false, retryAfterS: 35 });
    let refused = 0;
    for (let i = 0; i < limit; i += 1) {
      if (!window.count('bench', WINDOW_MS + i / 8).allowed) refused += 1;
    }
    expect(refused).toBe(0);
    expect(window.count('bench', WINDOW_MS + 25_000 - 1).allowed).toBe(false);
  });
});

describe('an address', () => {
  it('an address is one whether it comes as ::1, 127.0.0.1 or its mapped form', () => {
    const forms = ['127.0.0.1', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::FFFF:7f00:1', '::1%lo'];
    expect(new Set(forms.map(normalizeAddress))).toEqual(new Set(['127.0.0.1']));
  });

  it('an address is its IPv4 when mapped, for every IPv4', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(normalizeAddress(`::ffff:${address}`)).toBe(address);
        expect(normalizeAddress(address)).toBe(address);
      }),
    );
  });

  it('an address counts by its /64 when it is a public IPv6', () => {
    expect(normalizeAddress('2001:db8:1:2:aaaa::1')).toBe('2001:db8:1:2::/64');
    expect(normalizeAddress('2001:DB8:1:2::9')).toBe('2001:db8:1:2::/64');
    expect(normalizeAddress('2001:db8:1:3::9')).toBe('2001:db8:1:3::/64');
    expect(normalizeAddress('2001:db8::1')).toBe('2001:db8:0:0::/64');
  });

  it('an address counts whole when it is of the own network', () => {
    expect(normalizeAddress('fe80::1%eth0')).toBe('fe80:0:0:0:0:0:0:1');
    expect(normalizeAddress('fe80::2')).not.toBe(normalizeAddress('fe80::1'));
    expect(normalizeAddress('fd00:1::2')).not.toBe(normalizeAddress('fd00:1::1'));
    expect(normalizeAddress('64:ff9b::192.0.2.1')).toBe('64:ff9b:0:0:0:0:c000:201');
  });

  it('an address has one key however an IPv6 is written', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
        expect(normalizeAddress(address)).toBe(normalizeAddress(canonical));
        expect(normalizeAddress(address.toUpperCase())).toBe(normalizeAddress(canonical));
      }),
    );
  });

  it('an address that is gone with its socket is one key for all', () => {
    expect(normalizeAddress(undefined)).toBe(normalizeAddress(''));
  });
});
