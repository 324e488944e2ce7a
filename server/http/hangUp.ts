import type { Response } from 'express';

/** Aborts when the client has gone, or been answered. */
export function hangUpOf(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  if (response.destroyed) controller.abort();
  return controller.signal;
}
