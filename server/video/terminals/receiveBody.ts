import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../clock.ts';
import { TerminalError, type FragmentRequest } from './terminal.ts';

export interface ReceiveDeps {
  clock: Pick<Clock, 'after'>;
  /** How long a camera may send nothing in the middle of its answer. */
  idleMs: number;
  maxBytes: number;
  /** Rejects when the disk has no more space for video. */
  checkQuota: () => Promise<void>;
}

const ownerOnly = 0o600;
/** Between two looks at the disk: a second or two of a fast camera. */
const bytesBetweenLooks = 32 * 1024 * 1024;

/**
 * Writes an answer's body to a file as it comes; answers its length in bytes.
 * @throws {TerminalError} `hung_up`, `bad_media` (too large), what `checkRoom` throws; the system's errors of writing;
 *   or the signal's reason
 */
export async function receiveBody(
  response: IncomingMessage,
  output: string,
  { signal, onProgress }: Pick<FragmentRequest, 'signal' | 'onProgress'>,
  deps: ReceiveDeps,
): Promise<number> {
  const stated = statedLength(response);
  if (stated !== null && stated > deps.maxBytes) {
    response.destroy();
    throw tooLarge(deps.maxBytes);
  }
  let received = 0;
  let lookAt = bytesBetweenLooks;
  const hungUp = (how: string) =>
    new TerminalError('hung_up', `The camera ${how} after ${sizes(received, stated)}.`);

  const watch = () =>
    deps.clock.after(deps.idleMs, () =>
      response.destroy(hungUp(`sent nothing more for ${Math.round(deps.idleMs / 1000)} s`)),
    );
  let stopTimer = watch();

  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      stopTimer();
      received += chunk.length;
      if (received > deps.maxBytes) {
        done(tooLarge(deps.maxBytes));
        return;
      }
      onProgress(stated === null ? 0 : received / stated, { received, total: stated });
      const pass = () => {
        stopTimer = watch();
        done(null, chunk);
      };
      if (received < lookAt) {
        pass();
        return;
      }
      lookAt = received + bytesBetweenLooks;
      deps.checkQuota().then(pass, done);
    },
  });

  try {
    await pipeline(response, meter, createWriteStream(output, { mode: ownerOnly }), { signal });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    // Node reports a body that ends before its stated length, or before its last chunk, as a reset connection.
    const isReset = error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
    throw isReset ? hungUp('disconnected') : error;
  } finally {
    stopTimer();
  }
  return received;
}

function statedLength(response: IncomingMessage): number | null {
  const text = response.headers['content-length'];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}

function tooLarge(maxBytes: number): TerminalError {
  return new TerminalError('bad_media', `The camera's answer is larger than ${maxBytes} bytes.`);
}

function sizes(received: number, stated: number | null): string {
  return stated === null ? `${received} bytes` : `${received} of ${stated} bytes`;
}
