import { z } from 'zod';
import { createTransport } from '../api/transport.ts';
import { systemClock } from '../clock/clock.ts';
import { createSharedStream } from './sharedStream.ts';
import type { PageMessage } from './sharedProtocol.ts';

/** What this worker uses of its global scope; the DOM's types know pages alone. */
interface SharedWorkerScope {
  onconnect: ((event: MessageEvent) => void) | null;
}

// No code is made at run time: the content security policy holds in workers too.
z.config({ jitless: true });

const share = createSharedStream({
  clock: systemClock,
  transport: createTransport({ fetch: (input, init) => fetch(input, init), clock: systemClock }),
});

(globalThis as unknown as SharedWorkerScope).onconnect = (event) => {
  const port = event.ports[0];
  if (port === undefined) return;
  const take = share.connect({ post: (says) => port.postMessage(says) });
  port.onmessage = (message: MessageEvent<PageMessage>) => take(message.data);
};
