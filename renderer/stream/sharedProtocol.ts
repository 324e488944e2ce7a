import type { StreamMessage } from '../../server/contract/stream.ts';
import type { LinkState } from './streamReader.ts';

/** What a page says to the worker that all pages of this browser share. */
export type PageMessage =
  | { kind: 'join' }
  | { kind: 'leave' }
  | { kind: 'try_now' }
  | { kind: 'token'; answer: TokenAnswer }
  /** Answered by `here`. */
  | { kind: 'still_there' };

/** The answer to `token_wanted`: `later` when the server could not be asked, `none` without a session. */
export type TokenAnswer = { jwt: string } | 'later' | 'none';

/** What the worker says to a page. */
export type WorkerMessage =
  | { kind: 'message'; message: StreamMessage }
  | { kind: 'link'; link: LinkState }
  | { kind: 'malformed'; topic: string }
  | { kind: 'here' }
  /** The worker holds no session of its own: it asks for a JWT, newer than the one that the server called expired. */
  | { kind: 'token_wanted'; stale: string | null }
  /** The server ended the session. */
  | { kind: 'session_over'; code: SessionOver };

export const sessionOverCodes = ['session_revoked', 'session_expired', 'jwt_invalid', 'jwt_missing'] as const;
export type SessionOver = (typeof sessionOverCodes)[number];
