import { createStore } from 'zustand/vanilla';
import type { Task } from '../../../server/contract/video.ts';
import type { Clock } from '../../clock/clock.ts';
import { StoreFull, type ClipStorage } from './clipStorage.ts';
import {
  clipName,
  clipsToDrop,
  clipsWithout,
  createClipIndex,
  INDEX_NAME,
  type Clip,
  type ClipIndex,
  marksOf,
  type ClipMark,
} from './clipIndex.ts';
import { fetchClip } from './fetchClip.ts';
import {
  isOfMoment,
  momentName,
  readMoment,
  spanOf,
  writeMoment,
  type CachedContext,
  type VehicleTimeRange,
} from './cachedContext.ts';
import { createSharedRuns, createSemaphore } from './concurrency.ts';
import type { TextStorage } from '../../platform/platform.ts';

/** A browser has six connections to a host: one is the stream's, the rest of the console needs some too. */
const FETCHES_AT_ONCE = 2;
/** Progress is reported in this many steps: finer ones are invisible, and each is drawn. */
const STEPS = 100;

export interface ClipsState {
  /** Where clips are kept; null until the store is open. */
  kind: ClipStorage['kind'] | null;
  /** What is in the store, by task: whole clips and parts. */
  clips: ReadonlyMap<string, Clip>;
  /** Fetches of this page by task, in bytes; a waiting one has nothing yet. */
  fetches: ReadonlyMap<string, { loadedBytes: number; totalBytes: number }>;
  limitBytes: number;
}

export interface ClipStoreDeps {
  openPlace: () => Promise<ClipStorage>;
  ask: (taskId: string, headers: Record<string, string>, signal: AbortSignal) => Promise<Response>;
  /** The newest that is known of a task; its file may have been fetched anew meanwhile. */
  taskOf: (taskId: string) => Task | undefined;
  clock: Clock;
  limitBytes: number;
}

/** The video clips of this user that this computer keeps. */
export function createClipStore({ openPlace, ask, taskOf, clock, limitBytes }: ClipStoreDeps) {
  const store = createStore<ClipsState>(() => ({
    kind: null,
    clips: new Map(),
    fetches: new Map(),
    limitBytes,
  }));
  const opened = createOpening();
  const fetches = createSharedRuns<Blob>();
  const pins = new Map<string, number>();
  const turns = createSemaphore(FETCHES_AT_ONCE);

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
    const gone = new Set(taskIds);
    let dropped: Clip[] = [];
    await change((clips) => {
      dropped = clips.filter((it) => gone.has(it.task_id));
      return clipsWithout(clips, dropped);
    });
    await removeFiles(gone, dropped);
  }

  /** The files of clips that the list names no more, and of the moments that lost their last one. */
  async function removeFiles(taskIds: Iterable<string>, dropped: readonly Clip[]): Promise<void> {
    const { files, index } = await opened.promise;
    for (const id of taskIds) await files.remove(clipName(id));
    const left = momentNames(await index.read());
    for (const name of momentNames(dropped)) if (!left.has(name)) await files.remove(name);
  }

  /** Takes a task in, with room made for it; answers what was known of it before. */
  async function admit(task: Task, file: NonNullable<Task['file']>): Promise<Clip | null> {
    let dropped: Clip[] = [];
    let known: Clip | null = null;
    await change((clips) => {
      known = clips.find((it) => it.task_id === task.task_id && it.sha256 === file.sha256) ?? null;
      const others = clips.filter((it) => it.task_id !== task.task_id);
      const { limitBytes } = store.getState();
      const room = { roomBytes: file.size_bytes, limitBytes, isHeld: (id: string) => pins.has(id) };
      const found = clipsToDrop(others, room);
      if (found === null) throw new StoreFull('the kept clips leave no room under the limit');
      dropped = found;
      const alike = clips.filter((it) => isOfMoment(it, spanOf(task)));
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
        // What was pinned stays so in its better quality.
        pinned: alike.some((it) => it.channel === task.channel && it.pinned),
        used_at: clock.now(),
        marks: marksOf(alike),
        starts_at: file.starts_at,
        spare: false,
      };
      return [...clipsWithout(others, found), known ?? fresh];
    });
    await removeFiles(
      dropped.map((it) => it.task_id),
      dropped,
    );
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
    /** Opens the store; what is asked for before waits. */
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
    /**
     * The file of a done task: from the store, else fetched, checked and kept. However often it is asked for, by however
     * many tabs, it is fetched once. Throws ApiProblem, Unreachable, ChecksumWrong, StoreFull, and the signal's reason.
     */
    get: (task: Task, signal: AbortSignal) =>
      fetches.join(task.task_id, (abort) => bring(task, abort), signal),
    /** A clip that is here, without any request; null when it is not. */
    kept: (taskId: string) => wholeClip(taskId, null),
    /** When the first picture of a clip that is here was recorded; null where nobody knows. */
    startOf: (taskId: string) => store.getState().clips.get(taskId)?.starts_at ?? null,
    /** Newest use first, as the store says now. */
    async list() {
      const { index } = await opened.promise;
      const clips = await index.read();
      show(clips);
      return clips.toSorted((a, b) => b.used_at - a.used_at);
    },
    /** A pinned clip stays, whatever else comes. */
    pin: (taskId: string, pinned: boolean) => edit(taskId, { pinned }),
    /**
     * Marks an instant on every clip that shows what these show, or writes its note anew; null takes the mark away. They
     * bear the same marks, so that none is lost with one clip.
     */
    mark: (taskIds: readonly string[], at: ClipMark['at'], note: string | null) =>
      change((clips) => {
        const spans = clips.filter((it) => taskIds.includes(it.task_id)).map(spanOf);
        return clips.map((it) => {
          if (!spans.some((span) => isOfMoment(it, span))) return it;
          const others = it.marks.filter((mark) => mark.at !== at);
          return { ...it, marks: note === null ? others : [...others, { at, note }] };
        });
      }),
    /** A better clip that plays here shows the same as these: they go first. It is pinned where one of them was. */
    async spare(taskIds: readonly string[]) {
      const { clips } = store.getState();
      if (!taskIds.some((id) => clips.get(id)?.spare === false)) return;
      await change((list) => {
        const pinned = list.filter((it) => it.pinned && taskIds.includes(it.task_id));
        const isBetter = (it: Clip) =>
          !it.spare && pinned.some((spare) => spare.channel === it.channel && isOfMoment(it, spanOf(spare)));
        return list.map((it) => {
          if (taskIds.includes(it.task_id)) return { ...it, spare: true, pinned: false };
          return isBetter(it) ? { ...it, pinned: true } : it;
        });
      });
    },
    /** Keeps what else is known of a moment, as long as a clip of it is here; does nothing where none is. */
    async keepMoment(span: VehicleTimeRange, moment: CachedContext) {
      const { files, index } = await opened.promise;
      await index.during(async (clips) => {
        const isShown = clips.some((it) => isOfMoment(it, span));
        if (isShown) await files.replaceText(momentName(span), writeMoment(moment));
      });
    },
    /** What was kept of a moment; null for nothing. */
    async moment(span: VehicleTimeRange) {
      const { files, index } = await opened.promise;
      const text = await index.during(() => files.text(momentName(span)));
      return text === null ? null : readMoment(text);
    },
    remove: drop,
    /** Removes everything, pinned clips too. */
    async clear() {
      fetches.abort();
      const { index } = await opened.promise;
      await drop((await index.read()).map((it) => it.task_id));
    },
    async setLimit(bytes: number) {
      store.setState({ limitBytes: bytes });
      const { index } = await opened.promise;
      const filter = { roomBytes: 0, limitBytes: bytes, isHeld: (id: string) => pins.has(id) };
      const found = clipsToDrop(await index.read(), filter);
      if (found !== null && found.length > 0) await drop(found.map((it) => it.task_id));
    },
    /** Clips that play are not dropped for others; returns its undo. */
    hold(taskIds: readonly string[]) {
      for (const id of taskIds) pins.set(id, (pins.get(id) ?? 0) + 1);
      return () => {
        for (const id of taskIds) {
          const left = (pins.get(id) ?? 1) - 1;
          if (left === 0) pins.delete(id);
          else pins.set(id, left);
        }
      };
    },
  };
}

export type ClipStore = ReturnType<typeof createClipStore>;

interface OpenPlace extends ClipStorage {
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

const momentNames = (clips: readonly Clip[]): Set<string> =>
  new Set(clips.map((it) => momentName(spanOf(it))));

/** Files that the index does not know: of an index that was lost. */
async function removeStrays({ files }: ClipStorage, index: ClipIndex): Promise<void> {
  await index.during(async (clips) => {
    const known = new Set([INDEX_NAME, ...clips.map((it) => clipName(it.task_id)), ...momentNames(clips)]);
    for (const name of await files.names()) if (!known.has(name)) await files.remove(name);
  });
}

/** What an operator can choose; a minute of one channel is about 18 MB. */
export const CLIP_LIMITS = [1e9, 5e9, 20e9, 50e9] as const;
const USUAL = 5e9;
const KEY = 'video.limit';

export function readLimit(storage: TextStorage): number {
  const stored = Number(storage.read(KEY));
  return CLIP_LIMITS.find((it) => it === stored) ?? USUAL;
}

export const writeLimit = (storage: TextStorage, bytes: number): void => storage.write(KEY, String(bytes));
