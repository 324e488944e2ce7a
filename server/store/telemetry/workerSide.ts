import { parentPort } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { asFailure } from './failure.ts';
import type { Call, FromWorker, ToWorker } from './messages.ts';

/** The worker's end of the line to `connectWorker`. */
interface Served {
  onCall(call: Call): void;
  /** All calls have been taken; the thread ends afterwards. */
  onClose(): void;
}

interface Line<Ready> {
  send(message: FromWorker<Ready>): void;
}

/** Starts, says that it is ready or why not, then takes calls. */
export function serve<Ready>(start: (line: Line<Ready>) => { ready: Ready; served: Served }): void {
  const port = ownPort();
  const line: Line<Ready> = { send: (message) => port.postMessage(message) };
  let begun: { ready: Ready; served: Served };
  try {
    begun = start(line);
  } catch (error) {
    line.send({ kind: 'not_started', failure: asFailure(error) });
    return;
  }
  const { ready, served } = begun;
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'call') {
      served.onCall(message.call);
      return;
    }
    served.onClose();
    port.close();
  });
  line.send({ kind: 'ready', ready });
}

function ownPort(): MessagePort {
  if (parentPort === null) throw new Error('runs as a worker only');
  return parentPort;
}
