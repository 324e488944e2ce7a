import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Task } from '../../../server/contract/video.ts';
import type { Clock } from '../../clock/clock.ts';
import { StoreFull } from './clipFiles.ts';
import {
  clipName,
  clipsToDrop,
  createClipIndex,
  INDEX_NAME,
  type Clip,
  type ClipIndex,
} from './clipIndex.ts';
import type { ClipMark } from './clipMarks.ts';
import { fetchClip } from './fetchClip.ts';
import type { ClipPlace } from './openClipPlace.ts';
import { createTurns } from './turns.ts';

/** A browser has six connections to a host: one is the stream's, the rest of the console needs some too. */
const FETCHES_AT_ONCE = 2;
/** Progress is told in so many steps: finer ones are not seen, and each is drawn. */
const STEPS = 100;

export interface ClipsState {
  /** Where clips are kept; null until the store is open. */
  kind: ClipPlace['kind'] | null;
  /** What is in the store, by task: whole clips and parts. */
  clips: ReadonlyMap<string, Clip>;
  /** Fetches of this page by task, in bytes; a waiting one has nothing yet. */
  fetches: ReadonlyMap<string, { loadedBytes: number; totalBytes: number }>;
  limitBytes: number;
}

/** The video clips of this user that this computer keeps. */
export interface ClipStore {
  store: StoreApi<ClipsState>;
  /** Opens the store; what is asked for before waits. */
  open(): Promise<void>;
  /**
   * The file of a done task: from the store, else fetched, checked and kept. However often it is asked for, by however
   * many tabs, it is fetched once. Throws ApiProblem, Unreachable, ChecksumWrong, StoreFull, and the signal's reason.
   */
  get(task: Task, signal: AbortSignal): Promise<Blob>;
  /** A clip that is here, without any request; null when it is not. */
  kept(taskId: string): Promise<Blob | null>;
  /** Newest use first, as the store says now. */
  list(): Promise<Clip[]>;
  /** A pinned clip stays, whatever else comes. */
  pin(taskId: string, pinned: boolean): Promise<void>;
  /** Marks a moment on each of these clips that is here, or writes its note anew; null takes the mark away. */
  mark(taskIds: readonly string[], at: ClipMark['at'], note: string | null): Promise<void>;
  remove(taskIds: readonly string[]): Promise<void>;
  /** Removes everything, pinned clips too. */
  clear(): Promise<void>;
  setLimit(bytes: number): Promise<void>;
  /** Clips that play are not dropped for others; returns its undo. */
  hold(taskIds: readonly string[]): () => void;
}

export interface ClipStoreParts {
  openPlace: () => Promise<ClipPlace>;
  ask: (taskId: string, headers: Record<string, string>, signal: AbortSignal) => Promise<Response>;
  /** The newest that is known of a task; its file may have been fetched anew meanwhile. */
  taskOf: (taskId: string) => Task | undefined;
  clock: Clock;
  limitBytes: number;
}

interface Shared {
  taskId: string;
  promise: Promise<Blob>;
  abort: AbortController;
  waiters: number;
}

export function createClipStore({ openPlace, ask, taskOf, clock, limitBytes }: ClipStoreParts): ClipStore {
  const store = createStore<ClipsState>(() => ({
    kind: null,
    clips: new Map(),
    fetches: new Map(),
    limitBytes,
  }));
  const opened = createOpening();
  const underWay = new Map<string, Shared>();
  const held = new Map<string, number>();
  const turns = createTurns(FETCHES_AT_ONCE);

  const show = (clips: readonly Clip[]) =>
    store.setState({ clips: new Map(clips.map((it) => [it.task_id, it])) });
  const change = async (edit: (clips: Clip[]) => Clip[]) =>
    show(await (await opened.promise).index.change(edit));
  const edit = (taskId: string, fields: Partial<Clip>) =>
    change((clips) => clips.map((it) => (it.task_id === taskId ? { ...it, ...fields } : it)));
  const noteFetch = (taskId: string, progress: { loadedBytes: number; totalBytes: number } | null) =>
    store.setState(({ fetches }) => {
      const next = new Map(fetches);
      if (progress === null) next.delete(taskId);
      else next.set(taskId, progress);
      return { fetches: next };
    });

  async function drop(taskIds: readonly string[]): Promise<void> {
    const { files } = await opened.promise;
    const gone = new Set(taskIds);
    await change((clips) => clips.filter((it) => !gone.has(it.task_id)));
    for (const id of gone) await files.remove(clipName(id));
  }

  /** Takes a task in, with room made for it; answers what was known of it before. */
  async function admit(task: Task, file: NonNullable<Task['file']>): Promise<Clip | null> {
    let dropped: Clip[] = [];
    let known: Clip | null = null;
    await change((clips) => {
      known = clips.find((it) => it.task_id === task.task_id && it.sha256 === file.sha256) ?? null;
      const others = clips.filter((it) => it.task_id !== task.task_id);
      const { limitBytes } = store.getState();
      const room = { roomBytes: file.size_bytes, limitBytes, isHeld: (id: string) => held.has(id) };
      const found = clipsToDrop(others, room);
      if (found === null) throw new StoreFull('the kept clips leave no room under the limit');
      dropped = found;
      const fresh: Clip = {
        task_id: task.task_id,
        vehicle_id: task.vehicle_id,
        channel: task.channel,
        from: task.from,
        to: task.to,
        size_bytes: file.size_bytes,
        sha256: file.sha256,
        etag: null,
        whole: false,
        pinned: false,
        used_at: clock.now(),
        // A file that was fetched anew shows the same moments.
        marks: clips.find((it) => it.task_id === task.task_id)?.marks ?? [],
      };
      return [...others.filter((it) => !found.includes(it)), known ?? fresh];
    });
    const { files } = await opened.promise;
    for (const it of dropped) await files.remove(clipName(it.task_id));
    return known;
  }

  async function wholeClip(taskId: string, sha256: string | null): Promise<Blob | null> {
    const { index, files } = await opened.promise;
    const clip = (await index.read()).find((it) => it.task_id === taskId && it.whole);
    if (clip === undefined || (sha256 !== null && clip.sha256 !== sha256)) return null;
    const blob = await files.blob(clipName(taskId));
    if (blob?.size !== clip.size_bytes) return null;
    await edit(taskId, { used_at: clock.now() });
    return blob;
  }

  async function bring(task: Task, signal: AbortSignal): Promise<Blob> {
    const { task_id, file } = task;
    const here = await wholeClip(task_id, file?.sha256 ?? null);
    if (here !== null) return here;
    if (file === null) throw new TypeError('a task that is not done has no file');
    const { files, locks } = await opened.promise;
    noteFetch(task_id, { loadedBytes: 0, totalBytes: file.size_bytes });
    const fetchIt = async (): Promise<Blob> => {
      // Another tab may have brought it while this one waited.
      const brought = await wholeClip(task_id, file.sha256);
      if (brought !== null) return brought;
      const known = await admit(task, file);
      if (known === null) await files.remove(clipName(task_id));
      const sha256 = () => taskOf(task_id)?.file?.sha256 ?? file.sha256;
      await fetchClip(
        {
          files,
          clock,
          ask: (headers, abort) => ask(task_id, headers, abort),
          etag: known?.etag ?? null,
          onEtag: (etag) => edit(task_id, { etag }),
          onProgress: (loadedBytes, totalBytes) => {
            const noted = store.getState().fetches.get(task_id)?.loadedBytes ?? 0;
            const isStep = Math.abs(loadedBytes - noted) * STEPS >= totalBytes || loadedBytes === totalBytes;
            if (isStep) noteFetch(task_id, { loadedBytes, totalBytes });
          },
        },
        { name: clipName(task_id), sha256, sizeBytes: file.size_bytes },
        signal,
      );
      const blob = await files.blob(clipName(task_id));
      if (blob === null) throw new StoreFull('the clip was removed while it was fetched');
      await edit(task_id, { whole: true, used_at: clock.now(), sha256: sha256(), size_bytes: blob.size });
      return blob;
    };
    try {
      return await turns.take(() => locks.hold(`clip/${task_id}`, fetchIt, signal), signal);
    } finally {
      noteFetch(task_id, null);
    }
  }

  return {
    store,
    async open() {
      try {
        const place = await openPlace();
        const index = createClipIndex(place.files, place.locks);
        const clips = await index.read();
        await removeStrays(place, index);
        store.setState({ kind: place.kind });
        show(clips);
        opened.resolve({ ...place, index });
      } catch (error) {
        opened.reject(error);
        throw error;
      }
    },
    get(task, signal) {
      const shared = underWay.get(task.task_id) ?? share(task);
      return waitFor(shared, signal);
    },
    kept: (taskId) => wholeClip(taskId, null),
    async list() {
      const { index } = await opened.promise;
      const clips = await index.read();
      show(clips);
      return clips.toSorted((a, b) => b.used_at - a.used_at);
    },
    pin: (taskId, pinned) => edit(taskId, { pinned }),
    mark: (taskIds, at, note) =>
      change((clips) =>
        clips.map((it) => {
          if (!taskIds.includes(it.task_id)) return it;
          const others = it.marks.filter((mark) => mark.at !== at);
          return { ...it, marks: note === null ? others : [...others, { at, note }] };
        }),
      ),
    remove: drop,
    async clear() {
      for (const { abort } of underWay.values()) abort.abort();
      const { index } = await opened.promise;
      await drop((await index.read()).map((it) => it.task_id));
    },
    async setLimit(bytes) {
      store.setState({ limitBytes: bytes });
      const { index } = await opened.promise;
      const wish = { roomBytes: 0, limitBytes: bytes, isHeld: (id: string) => held.has(id) };
      const found = clipsToDrop(await index.read(), wish);
      if (found !== null && found.length > 0) await drop(found.map((it) => it.task_id));
    },
    hold(taskIds) {
      for (const id of taskIds) held.set(id, (held.get(id) ?? 0) + 1);
      return () => {
        for (const id of taskIds) {
          const left = (held.get(id) ?? 1) - 1;
          if (left === 0) held.delete(id);
          else held.set(id, left);
        }
      };
    },
  };

  function share(task: Task): Shared {
    const abort = new AbortController();
    const promise = bring(task, abort.signal).finally(() => forget(shared));
    promise.catch(() => undefined);
    const shared: Shared = { taskId: task.task_id, promise, abort, waiters: 0 };
    underWay.set(task.task_id, shared);
    return shared;
  }

  function forget(shared: Shared): void {
    if (underWay.get(shared.taskId) === shared) underWay.delete(shared.taskId);
  }

  /** One who waits may leave; with the last one the fetch ends, and who comes after begins another. */
  function waitFor(shared: Shared, signal: AbortSignal): Promise<Blob> {
    shared.waiters += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        shared.waiters -= 1;
        if (shared.waiters === 0) {
          forget(shared);
          shared.abort.abort(signal.reason);
        }
        reject(signal.reason as Error);
      };
      if (signal.aborted) {
        leave();
        return;
      }
      signal.addEventListener('abort', leave, { once: true });
      shared.promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }
}

interface OpenPlace extends ClipPlace {
  index: ClipIndex;
}

/** What waits for the store to be open. */
function createOpening() {
  let resolve: (place: OpenPlace) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<OpenPlace>((resolveIt, rejectIt) => {
    resolve = resolveIt;
    reject = rejectIt;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

/** Files that the index does not know: of an index that was lost. */
async function removeStrays({ files, locks }: ClipPlace, index: ClipIndex): Promise<void> {
  await locks.hold('index', async () => {
    const known = new Set([INDEX_NAME, ...(await index.read()).map((it) => clipName(it.task_id))]);
    for (const name of await files.names()) if (!known.has(name)) await files.remove(name);
  });
}
