import type { Clock } from '../clock/clock.ts';
import type { FleetStream } from './fleetStream.ts';

/** So long the reading waits for the stream. */
const PATIENCE_MS = 1_000;

export interface ReadDeps {
  stream: Pick<FleetStream, 'on' | 'onLink'>;
  clock: Clock;
  read: () => void;
  /** Reads again what could not be read. */
  retry: () => void;
}

/**
 * Reads lists that the stream then keeps. What changes between the reading of a list and the beginning of the stream
 * would be missed, so the reading waits until the stream listens. A stream that is slow or lost does not hold it up:
 * then lists are read without it, and once more when it listens. Returns its end.
 */
export function readOnceListening({ stream, clock, read, retry }: ReadDeps): () => void {
  let wasRead = false;
  let listens = false;
  const readNow = () => {
    stopWaiting();
    wasRead = true;
    read();
  };
  const stopWaiting = clock.after(PATIENCE_MS, readNow);
  const undo = [
    stopWaiting,
    stream.on('reset', readNow),
    stream.onLink(({ phase }) => {
      if (phase === 'live' && !listens) {
        listens = true;
        readNow();
      } else if (phase === 'live') retry();
      else if (phase === 'lost' && !wasRead) readNow();
    }),
  ];
  return () => undo.forEach((run) => run());
}
