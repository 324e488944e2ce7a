import type { Clock } from '../../clock/clock.ts';
import { MARGIN_MS } from '../trackCache.ts';

/**
 * Runs once when what happened up to a moment has come to the depot: a terminal reports late, and a small picture is here
 * seconds after the last thing that it shows. Never where that was so from the first. Returns its undo.
 *
 * @param to milliseconds since 1970
 * @param now the server's time, milliseconds
 */
export function onceSettled(
  to: number,
  { clock, now }: { clock: Clock; now: () => number },
  run: () => void,
): () => void {
  const leftMs = to + MARGIN_MS - now();
  return leftMs > 0 ? clock.after(leftMs, run) : () => undefined;
}
