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
