import { createStore } from 'zustand/vanilla';
import { mapRoutes, maxUploadPart, type MapUpload } from '../../server/contract/maps.ts';
import type { Api } from '../api/client.ts';
import { isAbort, isProblem, Unreachable } from '../api/errors.ts';
import type { Clock } from '../clock/clock.ts';
import { retryPauseMs } from '../stream/streamReader.ts';

export interface UploadState {
  name: string;
  bytes: number;
  received: number;
  /** `checking`: all of it is sent; the host reads it. `failed`: it is over, `error` says why. */
  phase: 'sending' | 'waiting' | 'paused' | 'checking' | 'failed';
  error: unknown;
}

export type MapUploads = ReturnType<typeof createMapUploads>;

/**
 * Sends one file at a time to the host, part after part. Where the host cannot be reached it is tried again; the same
 * file goes on where an earlier attempt ended, also one of another page.
 */
export function createMapUploads({ api, clock, onAdded }: { api: Api; clock: Clock; onAdded: () => void }) {
  const store = createStore<{ upload: UploadState | null }>(() => ({ upload: null }));
  let file: File | null = null;
  let uploadId: string | null = null;
  let abort: AbortController | null = null;

  const show = (change: Partial<UploadState>) =>
    store.setState(({ upload }) => ({ upload: upload && { ...upload, ...change } }));

  /** Those that the host has parts of; begun anew for none. */
  async function begin({ name, size }: File, signal: AbortSignal): Promise<MapUpload> {
    const { items } = await api.request(mapRoutes.listUploads, { signal });
    const earlier = items.find((it) => it.name === shortened(name) && it.bytes === size);
    return (
      earlier ?? api.request(mapRoutes.startUpload, { body: { name: shortened(name), bytes: size }, signal })
    );
  }

  async function send(of: File, signal: AbortSignal): Promise<void> {
    let { upload_id, received } = await begin(of, signal);
    uploadId = upload_id;
    for (;;) {
      const isLast = received + maxUploadPart >= of.size;
      show({ received, phase: isLast ? 'checking' : 'sending' });
      const answer = await api.request(mapRoutes.uploadPart, {
        params: { upload_id },
        query: { from: received },
        bytes: of.slice(received, received + maxUploadPart),
        signal,
      });
      ({ upload_id, received } = answer);
      if (answer.map !== null) return;
    }
  }

  async function run(): Promise<void> {
    if (file === null) return;
    const mine = new AbortController();
    abort = mine;
    for (let tries = 0; ; tries++) {
      try {
        await send(file, mine.signal);
        end();
        onAdded();
        return;
      } catch (error) {
        if (mine.signal.aborted || isAbort(error)) return;
        const isPassing =
          error instanceof Unreachable || isProblem(error, 'rate_limited', 'unavailable', 'queue_full');
        if (!isPassing) {
          show({ phase: 'failed', error });
          return;
        }
        show({ phase: 'waiting', error });
        if (!(await waited(retryPauseMs(tries), mine.signal))) return;
      }
    }
  }

  /** False: it was given up meanwhile. */
  function waited(ms: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const stop = clock.after(ms, () => resolve(true));
      signal.addEventListener('abort', () => {
        stop();
        resolve(false);
      });
    });
  }

  function end(): void {
    abort?.abort();
    [file, uploadId, abort] = [null, null, null];
    store.setState({ upload: null });
  }

  return {
    store,
    start(chosen: File): void {
      end();
      file = chosen;
      const { name, size } = chosen;
      store.setState({ upload: { name, bytes: size, received: 0, phase: 'sending', error: null } });
      void run();
    },
    pause: () => {
      abort?.abort();
      show({ phase: 'paused' });
    },
    resume: () => {
      show({ phase: 'sending', error: null });
      void run();
    },
    /** What was sent is deleted. */
    async cancel(): Promise<void> {
      const upload_id = uploadId;
      end();
      if (upload_id === null) return;
      await api.request(mapRoutes.cancelUpload, { params: { upload_id } }).catch((error: unknown) => {
        // A part may still be on its way; the host forgets what nobody goes on with.
        if (!isProblem(error, 'not_found', 'in_use') && !(error instanceof Unreachable)) throw error;
      });
    },
    stop: end,
  };
}

const maxName = 120;
const shortened = (name: string): string => name.trim().slice(-maxName).trim();
