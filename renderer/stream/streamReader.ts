import { createParser } from 'eventsource-parser';
import { isProblem, UnexpectedAnswer } from '../api/errors.ts';
import type { Clock } from '../clock/clock.ts';

/** What is known of the connection to the server. Moments are of this computer's clock, in milliseconds. */
export type LinkState =
  | { phase: 'connecting' }
  | { phase: 'live'; since: number; /** null the first time. */ lostBefore: number | null }
  | {
      phase: 'lost';
      since: number;
      /** null while a try is under way. */
      nextTryAt: number | null;
      /** The server answered, and refused one more stream. */
      isRefused?: boolean;
    };

/** The pauses between tries; the last one goes on (API.md leaves retry to the console, LOOKS 5 shows the countdown). */
const PAUSES_S = [1, 2, 4, 8, 15] as const;

/** The pause before try number `tries`, counted from 0, in milliseconds. */
export function retryPauseMs(tries: number): number {
  return (PAUSES_S[Math.min(tries, PAUSES_S.length - 1)] ?? 15) * 1_000;
}

/** One message of an event stream (WHATWG HTML, section 9.2.6). */
export interface SseMessage {
  event: string;
  data: string;
  /** The last id that the stream gave, also when it came with an earlier message; null before the first. */
  id: string | null;
}

/** The server sends a heartbeat every 15 s; after this long without any message it is lost. */
const SILENCE_MS = 20_000;

/** The server holds back no more bytes than this for all clients that do not read: none of its messages is as long. */
export const MAX_MESSAGE_CHARS = 64 * 1024 * 1024;

/** A stream that ended sooner after its first message is not opened again at once: that could go on for ever. */
const STEADY_MS = 2_000;

export interface StreamReaderDeps {
  /** Opens the stream after this id; throws when it cannot. */
  open: (lastEventId: string | null, signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>;
  clock: Clock;
  onMessage: (message: SseMessage) => void;
  onLink: (link: LinkState) => void;
  /** The error that ends it for good (a session that is over), as against one to try again after. */
  isFinal: (error: unknown) => boolean;
  onFinal?: () => void;
}

/**
 * Reads the stream and keeps it open: after an end or an error it opens it again behind the last id. The first try
 * comes at once (the server ends a stream with its JWT), later ones after growing pauses.
 */
export function createStreamReader({ open, clock, onMessage, onLink, isFinal, onFinal }: StreamReaderDeps) {
  let lastId: string | null = null;
  let link: LinkState = { phase: 'connecting' };
  let tries = 0;
  let stopped = true;
  let abort: AbortController | null = null;
  /** When a message came last, or the present try began. */
  let heardAt = clock.now();
  let stopTimer: (() => void) | null = null;

  return {
    /** Begins; returns its end. */
    start(): () => void {
      stopped = false;
      setLink({ phase: 'connecting' });
      void connect();
      return () => {
        stopped = true;
        clearTimer();
        abort?.abort();
      };
    },
    /** Tries at once instead of waiting for a pause to pass, or for the timer of a link that is long without a message. */
    tryNow(): void {
      const waits = link.phase === 'lost' && link.nextTryAt !== null;
      // Timers stand still while the computer sleeps, and its connections are dead after it.
      if (stopped || (!waits && clock.now() - heardAt < SILENCE_MS)) return;
      abort?.abort();
      clearTimer();
      setLink(
        link.phase === 'lost'
          ? { ...link, nextTryAt: null }
          : { phase: 'lost', since: clock.now(), nextTryAt: null },
      );
      void connect();
    },
  };

  async function connect(): Promise<void> {
    const mine = new AbortController();
    abort = mine;
    listenForSilence(mine);
    try {
      const bytes = await open(lastId, mine.signal);
      const feed = createSseParser((message) => {
        if (mine.signal.aborted) return;
        heard(mine);
        lastId = message.id ?? lastId;
        onMessage(message);
      });
      for await (const chunk of bytes) {
        if (mine.signal.aborted) break;
        feed(chunk);
      }
      if (!mine.signal.aborted) ended(null);
    } catch (error) {
      if (!mine.signal.aborted) ended(error);
    }
  }

  function heard(mine: AbortController): void {
    tries = 0;
    listenForSilence(mine);
    if (link.phase === 'live') return;
    setLink({ phase: 'live', since: clock.now(), lostBefore: link.phase === 'lost' ? link.since : null });
  }

  function listenForSilence(mine: AbortController): void {
    clearTimer();
    heardAt = clock.now();
    stopTimer = clock.after(SILENCE_MS, () => {
      mine.abort();
      ended(null);
    });
  }

  function ended(error: unknown): void {
    clearTimer();
    if (stopped) return;
    if (error !== null && isFinal(error)) {
      stopped = true;
      onFinal?.();
      return;
    }
    const livedMs = link.phase === 'live' ? clock.now() - link.since : 0;
    if (livedMs >= STEADY_MS && error === null && abort?.signal.aborted === false) {
      // A clean end: the JWT ran out or the server restarts. It is lost only if the next try fails.
      link = { phase: 'connecting' };
      void connect();
      return;
    }
    const since = link.phase === 'lost' ? link.since : clock.now();
    const pauseMs = retryPauseMs(tries);
    tries += 1;
    const why = isProblem(error, 'too_many_streams') ? { isRefused: true } : {};
    setLink({ phase: 'lost', since, nextTryAt: clock.now() + pauseMs, ...why });
    stopTimer = clock.after(pauseMs, () => {
      setLink({ phase: 'lost', since, nextTryAt: null, ...why });
      void connect();
    });
  }

  function setLink(next: LinkState): void {
    link = next;
    onLink(next);
  }

  function clearTimer(): void {
    stopTimer?.();
    stopTimer = null;
  }
}

/**
 * Takes the bytes of a stream, cut anywhere, and calls back for each message that they complete.
 *
 * @throws ParseError from the call that brings more than `MAX_MESSAGE_CHARS` of a message without its end
 */
export function createSseParser(onMessage: (message: SseMessage) => void): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder();
  let id: string | null = null;
  const parser = createParser({
    maxBufferSize: MAX_MESSAGE_CHARS,
    onId: (next) => (id = next),
    onEvent: ({ event = 'message', data }) => onMessage({ event, data, id }),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') throw error;
    },
  });
  return (bytes) => parser.feed(decoder.decode(bytes, { stream: true }));
}

/** The body of an answer, chunk by chunk; by the reader, since not every browser can iterate over a stream. */
export async function* bytesOf(response: Response): AsyncIterable<Uint8Array> {
  if (response.body === null)
    throw new UnexpectedAnswer('the stream has no body', response.headers.get('X-Request-Id'));
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
