import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import PQueue from 'p-queue';

/** One fix as a tracker reports it; what it does not know is absent. */
export interface OsmandFix {
  terminalId: string;
  time: Date;
  lat: number;
  lon: number;
  altitudeM?: number;
  speedKmh?: number;
  courseDeg?: number;
  accuracyM?: number;
  ignition?: boolean;
  batteryPct?: number;
  odometerM?: number;
  sos?: boolean;
}

export interface SendResult {
  sent: number;
  /** Answered 200: stored, or known already, or refused for good. */
  acknowledged: number;
  /** Answered 404: no vehicle has this terminal. */
  unknown: number;
  /** Any other answer in the 400s. */
  rejected: number;
  /** No answer, or a failing host, after the last retry. */
  failed: number;
  /** The last answer to each fix, by code; 0 stands for none. */
  byCode: Record<number, number>;
}

interface OsmandSenderOptions {
  /** Connections at once. */
  concurrency?: number;
  /** Pauses before the second, third, … try, in milliseconds. */
  retryPausesMs?: readonly number[];
}

const KMH_PER_KNOT = 1.852;
const DEFAULT_CONCURRENCY = 8;
const DEFAULT_RETRY_PAUSES_MS = [250, 1000, 4000];
const ANSWER_TIMEOUT_MS = 10_000;
const NO_ANSWER = 0;

export const noneSent = (): SendResult => ({
  sent: 0,
  acknowledged: 0,
  unknown: 0,
  rejected: 0,
  failed: 0,
  byCode: {},
});

export function addResult(total: SendResult, part: SendResult): void {
  total.sent += part.sent;
  total.acknowledged += part.acknowledged;
  total.unknown += part.unknown;
  total.rejected += part.rejected;
  total.failed += part.failed;
  for (const [code, count] of Object.entries(part.byCode)) {
    total.byCode[Number(code)] = (total.byCode[Number(code)] ?? 0) + count;
  }
}

export type OsmandSender = ReturnType<typeof createOsmandSender>;

/**
 * Speaks the OsmAnd protocol as Traccar's clients do: form-encoded, speed in knots. A server without an answer, or
 * with one in the 500s or 429, is tried again after growing pauses.
 * @throws TypeError for an address that is none, or not of http.
 */
export function createOsmandSender(address: string, options: OsmandSenderOptions = {}) {
  const url = new URL(address);
  if (url.protocol !== 'http:') throw new TypeError(`the OsmAnd intake speaks http, not ${url.protocol}//`);
  const concurrency = options.concurrency ?? DEFAULT_CONCURRENCY;
  const pausesMs = options.retryPausesMs ?? DEFAULT_RETRY_PAUSES_MS;
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const closing = new AbortController();
  const queue = new PQueue({ concurrency });
  /** What each terminal sends last; the next fix waits for it. */
  const lastOf = new Map<string, Promise<unknown>>();

  async function deliver(fix: OsmandFix): Promise<number> {
    let code = closing.signal.aborted ? NO_ANSWER : await post(url, agent, formOf(fix), closing.signal);
    for (const pauseMs of pausesMs) {
      if (!isWorthRetrying(code)) break;
      try {
        await pause(pauseMs, undefined, { signal: closing.signal });
      } catch {
        return NO_ANSWER; // closed meanwhile
      }
      code = await post(url, agent, formOf(fix), closing.signal);
    }
    return code;
  }

  function runSequentially(fix: OsmandFix): Promise<number> {
    const before = lastOf.get(fix.terminalId) ?? Promise.resolve();
    const answer = before.then(() => queue.add(() => deliver(fix)));
    lastOf.set(fix.terminalId, answer);
    void answer.finally(() => {
      if (lastOf.get(fix.terminalId) === answer) lastOf.delete(fix.terminalId);
    });
    return answer;
  }

  return {
    /**
     * Sends them all; the fixes of one terminal one after the other in the given order, also over several calls. Never
     * rejects: what went wrong is in the counts. Fixes sent after `close` fail.
     */
    async send(fixes: readonly OsmandFix[]): Promise<SendResult> {
      const result = noneSent();
      for (const code of await Promise.all(fixes.map(runSequentially))) count(result, code);
      return result;
    },
    /** Breaks off what is under way, and lets go of the connections. */
    close(): void {
      closing.abort();
      agent.destroy();
    },
  };
}

function count(result: SendResult, code: number): void {
  result.sent += 1;
  result.byCode[code] = (result.byCode[code] ?? 0) + 1;
  if (code >= 200 && code < 300) result.acknowledged += 1;
  else if (code === 404) result.unknown += 1;
  else if (isWorthRetrying(code)) result.failed += 1;
  else result.rejected += 1;
}

const isWorthRetrying = (code: number): boolean => code === NO_ANSWER || code === 429 || code >= 500;

function formOf(fix: OsmandFix): string {
  const form = new URLSearchParams({
    id: fix.terminalId,
    timestamp: String(fix.time.getTime()),
    lat: String(fix.lat),
    lon: String(fix.lon),
  });
  const put = (key: string, value: number | boolean | undefined): void => {
    if (value !== undefined) form.set(key, String(value));
  };
  put('altitude', fix.altitudeM);
  put(
    'speed',
    fix.speedKmh === undefined ? undefined : Math.round((fix.speedKmh / KMH_PER_KNOT) * 1000) / 1000,
  );
  put('bearing', fix.courseDeg);
  put('accuracy', fix.accuracyM);
  put('ignition', fix.ignition);
  put('batt', fix.batteryPct);
  put('odometer', fix.odometerM);
  if (fix.sos === true) form.set('alarm', 'sos');
  return form.toString();
}

/** The answer's code, 0 when there was none. */
function post(url: URL, agent: Agent, form: string, signal: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    const call = request(
      url,
      {
        method: 'POST',
        agent,
        signal,
        timeout: ANSWER_TIMEOUT_MS,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': Buffer.byteLength(form),
          'user-agent': 'Fleetdeck',
        },
      },
      (answer) => {
        answer.resume();
        answer.once('close', () => resolve(answer.complete ? (answer.statusCode ?? NO_ANSWER) : NO_ANSWER));
      },
    );
    call.once('timeout', () => call.destroy());
    call.once('error', () => resolve(NO_ANSWER));
    call.end(form);
  });
}
