import { createStore, type StoreApi } from 'zustand/vanilla';
import { eventRoutes, type Event } from '../../server/contract/events.ts';
import { meetsLevel } from '../../server/contract/rights.ts';
import { serviceRoutes } from '../../server/contract/settings.ts';
import { videoRoutes, type Task } from '../../server/contract/video.ts';
import type { Profile } from '../../server/contract/videoProfiles.ts';
import { fetchAllPages, PAGE_LIMIT, type Api } from '../api/client.ts';
import { isProblem } from '../api/errors.ts';
import type { VideoDeps } from '../appContext/createAppContext.ts';
import type { VideoContext, VideoMoment } from '../notifications/videoContext.ts';
import { createLoader } from '../resources/loader.ts';
import { createResourceStore, olderByVersion } from '../resources/resourceStore.ts';
import { runBulk } from '../resources/runBulk.ts';
import {
  createVideoRequest,
  spanAround,
  type VideoRequestInput,
  type VideoRequestResult,
} from './createVideoRequest.ts';
import { runBulkAction, createBulkTasks, type BulkTasks } from './queue/bulkTasks.ts';
import { createPace, type Pace } from './requests/pace.ts';
import { isUnderWay } from './requests/qualities.ts';
import { orderIdOf } from './requests/videoOrders.ts';
import { readLimit, writeLimit } from './store/clipLimit.ts';
import { createClipStore, type ClipStore } from './store/clipStore.ts';
import { openClipStorage } from './store/openClipStorage.ts';
import { createTrackCache, type TrackCache } from './trackCache.ts';
import { createVideoControls } from './videoControls.ts';
import { createVideoTasks, type VideoTasks } from './videoTasks.ts';

/** The video domain of a session. */
export interface Video extends VideoContext {
  taskStore: VideoTasks;
  profiles: ProfileCache;
  events: EventCache;
  tracks: TrackCache;
  clips: ClipStore;
  pace: Pace;
  many: BulkTasks;
  /** What the Video screen can do now. */
  controls: ReturnType<typeof createVideoControls>;
  /** Requests of this console whose end was not reported yet, by request id. */
  awaited: StoreApi<{ orders: ReadonlySet<string> }>;
  /** A span on some channels. Throws ApiProblem and Unreachable when no channel could be ordered. */
  orderRange(filter: VideoRequestInput): Promise<VideoRequestResult>;
  /** Ends what is under way. Throws ApiProblem and Unreachable. */
  cancel(tasks: readonly Task[]): Promise<void>;
  /** Tries failed and expired ones again. Throws ApiProblem and Unreachable. */
  retry(tasks: readonly Task[]): Promise<void>;
  /** Keeps their files until somebody deletes them, or no longer. Throws ApiProblem and Unreachable. */
  mark(tasks: readonly Task[], important: boolean): Promise<void>;
  /** Deletes files at the depot and here. Throws ApiProblem and Unreachable. */
  remove(tasks: readonly Task[]): Promise<void>;
  setLimit(bytes: number): Promise<void>;
}

/** Builds the video domain of a session; nothing runs before `start`. */
export function createVideoContext(deps: VideoDeps): { app: Video; start: () => () => void } {
  const { api, clock, stream, user, platform, navigation } = deps;
  const isDealer = user.role === 'dealer';
  const mayWatch = isDealer || meetsLevel(user.rights.video, 'read');
  const tasks = createVideoTasks({ api, clock, stream });
  const profiles = createProfileCache(deps, deps.terminalOf);
  const pace = createPace();
  const awaited = createStore<{ orders: ReadonlySet<string> }>(() => ({ orders: new Set() }));
  let instanceId: (id: string) => void = () => undefined;
  const instance = new Promise<string>((resolve) => {
    instanceId = resolve;
  });

  const clips = createClipStore({
    clock,
    limitBytes: readLimit(platform.storage),
    taskOf: (id) => tasks.get(id),
    ask: (task_id, headers, signal) => api.open(videoRoutes.file, { params: { task_id }, signal }, headers),
    openPlace: async () =>
      openClipStorage({ instanceId: await instance, userId: user.user_id }, platform.secureContext),
  });
  const instanceLoader = createLoader({
    clock,
    read: (signal) => api.request(serviceRoutes.settings, { signal }),
    take: ({ instance_id }) => instanceId(instance_id),
    onState: () => undefined,
  });

  const orderRange = async (filter: VideoRequestInput): Promise<VideoRequestResult> => {
    const placed = await createVideoRequest(api, filter);
    // First awaited, then reported: a quick camera's end may have come by the stream before this response.
    awaited.setState(({ orders }) => ({ orders: new Set([...orders, ...placed.tasks.map(orderIdOf)]) }));
    tasks.put(placed.tasks);
    return placed;
  };

  /** Throws what was refused first, after all the others are done and seen to. */
  const each = async (
    list: readonly Task[],
    act: (task: Task) => Promise<Task>,
    onDone: (done: readonly Task[]) => Promise<void> = () => Promise.resolve(),
  ): Promise<void> => {
    const answers = await Promise.allSettled(list.map(act));
    const done = answers.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []));
    tasks.put(done);
    await onDone(done);
    for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
  };
  const removeTask = ({ task_id }: Task) => api.request(videoRoutes.removeTask, { params: { task_id } });

  /** Ends one that is under way, and only that: the same call would delete the file of one that is done by now. */
  const cancelTask = async (task: Task): Promise<Task> => {
    let known = tasks.get(task.task_id) ?? task;
    for (;;) {
      const { task_id, version } = known;
      if (!isUnderWay(known)) return known;
      try {
        return await api.request(videoRoutes.removeTask, { params: { task_id }, ifMatch: version });
      } catch (error) {
        if (!isProblem(error, 'version_conflict')) throw error;
        const now = await api.request(videoRoutes.getTask, { params: { task_id } });
        if (now.version === version) throw error;
        known = now;
      }
    }
  };

  const many = createBulkTasks({
    clock,
    get: (id) => tasks.get(id),
    act: (action, task) => runBulkAction(app, action, task),
  });

  const app: Video = {
    tasks: tasks.store,
    watchEvents: (eventIds) => (mayWatch ? tasks.watchEvents(eventIds) : () => undefined),
    cameras: profiles.store,
    wantCameras: () => {
      if (mayWatch) profiles.want();
    },
    play: (taskId) => navigation.go('video', { task: taskId }),
    async orderVideo(moment: VideoMoment) {
      const profile = await profiles.ofVehicle(moment.vehicle_id);
      await orderRange({
        profileId: profile.profile_id,
        channels: profile.channels.map((it) => it.channel),
        ...spanAround(Date.parse(moment.at), deps.window(), deps.now()),
        eventId: moment.event_id,
      });
    },
    taskStore: tasks,
    profiles,
    events: createEventCache(api),
    tracks: createTrackCache(api, deps.now),
    clips,
    pace,
    many,
    controls: createVideoControls(),
    awaited,
    mayOrder: isDealer || meetsLevel(user.rights.video, 'write'),
    orderRange,
    cancel: (list) => each(list, cancelTask),
    retry: (list) => each(list, ({ task_id }) => api.request(videoRoutes.retryTask, { params: { task_id } })),
    mark: (list, important) =>
      each(list, ({ task_id }) =>
        api.request(videoRoutes.patchTask, { params: { task_id }, body: { important } }),
      ),
    remove: (list) => each(list, removeTask, (done) => clips.remove(done.map((it) => it.task_id))),
    async setLimit(bytes) {
      writeLimit(platform.storage, bytes);
      await clips.setLimit(bytes);
    },
  };

  /** What the user may no longer see must not stay on this computer. "Not there" and "no access" answer alike. */
  const purge = async (signal: AbortSignal): Promise<void> => {
    const strange = (await clips.list()).filter((it) => tasks.get(it.task_id) === undefined);
    const broken = new AbortController();
    await runBulk({
      items: strange,
      act: async ({ task_id }) => {
        try {
          await tasks.seek(task_id, AbortSignal.timeout(30_000));
        } catch (error) {
          if (isProblem(error, 'not_found', 'forbidden')) await clips.remove([task_id]);
          else if (isProblem(error, 'rate_limited')) throw error;
          else broken.abort();
        }
      },
      clock,
      signal: AbortSignal.any([signal, broken.signal]),
      onProgress: () => undefined,
    });
  };

  return {
    app,
    start() {
      instanceLoader.load();
      const opened = clips.open();
      const ended = new AbortController();
      if (!mayWatch) void opened.then(() => clips.clear());
      const undo = [
        () => instanceLoader.stop(),
        () => ended.abort(),
        () => many.stop(),
        ...(mayWatch ? [tasks.start(), profiles.start()] : []),
        tasks.onListed(() => void opened.then(() => purge(ended.signal))),
        tasks.store.subscribe(({ load }, before) => {
          const isDenied =
            load !== before.load && load.phase === 'failed' && isProblem(load.error, 'forbidden');
          if (isDenied) void opened.then(() => clips.clear());
        }),
        tasks.onGone((id) => void clips.remove([id])),
        tasks.store.subscribe(({ byId }) => pace.see(byId.values(), clock.now())),
      ];
      return () => undo.forEach((run) => run());
    },
  };
}

/** As many ids as an address line takes with ease. */
const AT_ONCE = 50;

/** The events that videos were ordered for. */
function createEventCache(api: Api) {
  const store = createStore<{ byId: ReadonlyMap<string, Event> }>(() => ({ byId: new Map() }));
  const requested = new Set<string>();

  async function read(ids: readonly string[]): Promise<void> {
    try {
      const { items } = await api.request(eventRoutes.list, { query: { ids: [...ids], limit: AT_ONCE } });
      store.setState(({ byId }) => ({
        byId: new Map([...byId, ...items.map((it): [string, Event] => [it.event_id, it])]),
      }));
    } catch {
      // The rows then say who ordered them; another look at the list asks again.
      for (const id of ids) requested.delete(id);
    }
  }

  return {
    store,
    /** Reads those that are not known yet; each id is asked for once. */
    want(eventIds: Iterable<string>) {
      const fresh = [...new Set(eventIds)].filter((id) => !requested.has(id));
      for (const id of fresh) requested.add(id);
      for (let at = 0; at < fresh.length; at += AT_ONCE) void read(fresh.slice(at, at + AT_ONCE));
    },
  };
}

type EventCache = ReturnType<typeof createEventCache>;

/** The cameras of vehicles: read when they are first asked for, then kept by the stream. */
function createProfileCache(
  { api, stream }: Pick<VideoDeps, 'api' | 'stream'>,
  terminalOf: (vehicleId: string) => string | null,
) {
  const profiles = createResourceStore<Profile>({ idOf: (it) => it.profile_id, isOlder: olderByVersion });
  const store = createStore<{ byVehicle: ReadonlyMap<string, Profile>; isWhole: boolean }>(() => ({
    byVehicle: new Map(),
    isWhole: false,
  }));
  let reading: Promise<void> | null = null;
  profiles.store.subscribe(({ byId }, before) => {
    if (byId === before.byId) return;
    store.setState({ byVehicle: new Map([...byId.values()].map((it) => [it.vehicle_id, it])) });
  });
  return {
    store,
    /** Begins to follow the stream; returns its end. */
    start() {
      const undo = [
        stream.on('profile', (message) => {
          if ('deleted' in message) profiles.hide([message.profile_id]);
          else profiles.receive([message]);
        }),
        stream.on('reset', () => {
          if (!store.getState().isWhole) return;
          store.setState({ isWhole: false });
          void readAll().catch(() => undefined);
        }),
      ];
      return () => undo.forEach((run) => run());
    },
    /** Throws ApiProblem (`not_found` where the vehicle has no cameras) and Unreachable. */
    async ofVehicle(vehicleId: string) {
      const terminal_id = terminalOf(vehicleId);
      if (terminal_id === null) throw new RangeError('a vehicle that is not on the list has no terminal');
      // Asked for each time: the stream does not say when cameras can be reached again.
      const profile = await api.request(videoRoutes.profiles, { query: { terminal_id } });
      if ('items' in profile) throw new TypeError('a list of profiles came for one terminal');
      profiles.put([profile]);
      return profile;
    },
    /** Reads all that are visible; those that are gone are forgotten. Throws ApiProblem and Unreachable. */
    readAll,
    /** Reads all once, for who only looks: what cannot be read is asked for at the next look. */
    want() {
      if (!store.getState().isWhole) void readAll().catch(() => undefined);
    },
    /** Reads one anew: its cameras and whether they can be reached. Throws ApiProblem and Unreachable. */
    async readAgain(profile_id: string, signal?: AbortSignal) {
      const profile = await api.request(videoRoutes.getProfile, { params: { profile_id }, signal });
      profiles.put([profile]);
      return profile;
    },
    put: (profile: Profile) => profiles.put([profile]),
    /** The vehicle has no cameras any more. */
    forget(vehicleId: string) {
      const profile = store.getState().byVehicle.get(vehicleId);
      if (profile !== undefined) profiles.hide([profile.profile_id]);
    },
  };

  /** However many ask at once, the list is read once. */
  function readAll(): Promise<void> {
    reading ??= readPages().finally(() => {
      reading = null;
    });
    return reading;
  }

  async function readPages(): Promise<void> {
    profiles.listing();
    const items = await fetchAllPages(async (cursor) => {
      const answer = await api.request(videoRoutes.profiles, { query: { limit: PAGE_LIMIT, cursor } });
      if (!('items' in answer)) throw new TypeError('one profile came for a list');
      return answer;
    });
    profiles.listed(items);
    store.setState({ isWhole: true });
  }
}

type ProfileCache = ReturnType<typeof createProfileCache>;
