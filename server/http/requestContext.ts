import type { Response } from 'express';
import type { Logger } from 'pino';
import type { ApiError } from './apiError.ts';
import type { Viewer } from './viewer.ts';

/** What is known of a request before its operation runs. */
export interface RequestContext {
  request_id: string;
  /** The caller's address, normalised. */
  address: string;
  viewer: Viewer | null;
  /** What a call that needs a user is answered when there is none. */
  anonymous: ApiError | null;
  log: Logger;
}

const contexts = new WeakMap<object, RequestContext>();

export function setContext(response: Response, context: RequestContext): void {
  // Counters, limits and streams each listen for the end of an answer.
  response.setMaxListeners(24);
  contexts.set(response, context);
}

export function contextOf(response: Response): RequestContext {
  const context = contexts.get(response);
  if (context === undefined) throw new Error('the request did not come through createHttpApp');
  return context;
}

const hangUps = new WeakMap<Response, AbortSignal>();

/** Aborts when the client has gone, or been answered; of one answer always the same signal. */
export function hangUpOf(response: Response): AbortSignal {
  const known = hangUps.get(response);
  if (known !== undefined) return known;
  const controller = new AbortController();
  hangUps.set(response, controller.signal);
  response.once('close', () => controller.abort());
  if (response.destroyed) controller.abort();
  return controller.signal;
}
