import { createStore } from 'zustand/vanilla';
import { meetsLevel } from '../../server/contract/rights.ts';
import { serviceRoutes } from '../../server/contract/settings.ts';
import { videoRoutes, type Task } from '../../server/contract/video.ts';
import type { Api } from '../api/client.ts';
import { isProblem } from '../api/errors.ts';
import type { Clock } from '../clock/clock.ts';
import { mayWrite, type Navigation, type ScreenName } from '../navigation/navigation.ts';
import type { Platform } from '../platform/platform.ts';
import type { FleetStream } from '../stream/fleetStream.ts';
import type { User } from '../../server/contract/users.ts';
import { createLoader } from '../resources/loader.ts';
import { runBulk } from '../resources/runBulk.ts';
import {
  createVideoRequest,
  spanAround,
  type VideoRequestInput,
  type VideoRequestResult,
} from './createVideoRequest.ts';
import { createBulkTasks, type TaskActions } from './queue/bulkTasks.ts';
import { createEventCache, createProfileCache, createTrackCache } from './videoCaches.ts';
import { createPace, createVideoTasks } from './videoTasks.ts';
import { isUnderWay } from './requests/qualities.ts';
import { orderIdOf } from './requests/videoOrders.ts';
import { readLimit, writeLimit, createClipStore } from './store/clipStore.ts';
import { openClipStorage } from './store/clipStorage.ts';

/** What the video domain is built from. */
export interface VideoDeps {
  api: Api;
  stream: FleetStream;
  clock: Clock;
  platform: Pick<Platform, 'storage' | 'secureContext'>;
  user: User;
  navigation: Pick<Navigation, 'go' | 'store'>;
  /** Seconds before and after a moment, by the depot's settings. */
  window: () => { before_s: number; after_s: number };
  /** The server's time. */
  now: () => number;
  /** The terminal of a vehicle, which video profiles are asked for by. */
  terminalOf: (vehicleId: string) => string | null;
}

/** What a video is ordered of. */
export interface VideoMoment {
  vehicle_id: string;
  at: string;
  event_id: string | null;
  span?: { from: number; to: number } | null;
}

/** Builds the video domain of a session; nothing runs before `start`. */
export function createVideoContext(deps: VideoDeps) {
  const { api, clock, stream, user, platform, navigation } = deps;
  const mayWatch = user.role === 'dealer' || meetsLevel(user.rights.video, 'read');
  const tasks = createVideoTasks({
    ...{ api, clock, stream },
    shownTask: () => navigation.store.getState().query['task'],
  });
  const profiles = createProfileCache(deps, deps.terminalOf);
  const pace = createPace();
  const awaited = createStore<{ orders: ReadonlyMap<string, ScreenName> }>(() => ({ orders: new Map() }));
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
    const { place } = navigation.store.getState();
    const placed = await createVideoRequest(api, filter);
    // First awaited, then reported: a quick camera's end may have come by the stream before this response.
    awaited.setState(({ orders }) => ({
      orders: new Map([...orders, ...placed.tasks.map((it) => [orderIdOf(it), place] as const)]),
    }));
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

  const actions: TaskActions = {
    cancel: (list) => each(list, cancelTask),
    retry: (list) => each(list, ({ task_id }) => api.request(videoRoutes.retryTask, { params: { task_id } })),
    mark: (list, important) =>
      each(list, ({ task_id }) =>
        api.request(videoRoutes.patchTask, { params: { task_id }, body: { important } }),
      ),
    remove: (list) => each(list, removeTask, (done) => clips.remove(done.map((it) => it.task_id))),
  };

  const many = createBulkTasks({ clock, get: (id) => tasks.get(id), actions });

  const app = {
    /** Tasks by their id, as the stream sends them. */
    tasks: tasks.store,
    /** Keeps the tasks of events known, however old they are. Returns its undo. */
    watchEvents: (eventIds: readonly string[]) => (mayWatch ? tasks.watchEvents(eventIds) : () => undefined),
    /** The vehicles that have cameras, as far as they were read. */
    cameras: profiles.store,
    /** Reads them, once. */
    wantCameras: () => {
      if (mayWatch) profiles.want();
    },
    /** Opens the player on a task that is done. */
    play: (taskId: string) => navigation.go('video', { task: taskId }),
    /**
     * Orders the moment on every channel of the vehicle, with the seconds before and after of the settings.
     * Throws ApiProblem (`not_found` where the vehicle has no cameras) and Unreachable.
     *
     * @param moment RFC 3339, UTC; its event is null for a moment that the operator chose. A span (Unix ms) that is given
     *   is ordered in the place of the seconds before and after
     */
    orderVideo: async (moment: VideoMoment): Promise<VideoRequestResult> => {
      const profile = await profiles.ofVehicle(moment.vehicle_id);
      return orderRange({
        profileId: profile.profile_id,
        channels: profile.channels.map((it) => it.channel),
        ...(moment.span ?? spanAround(Date.parse(moment.at), deps.window(), deps.now())),
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
    /** What the Video screen can do now. */
    controls: createVideoControls(),
    /** Requests of this console whose end was not reported yet: by request id, the screen that they were made on. */
    awaited,
    /** Whether this user may order videos, and do something to those that were ordered. */
    mayOrder: mayWrite(user, 'video'),
    /** A span on some channels. Throws ApiProblem and Unreachable when no channel could be ordered. */
    orderRange,
    ...actions,
    setLimit: async (bytes: number) => {
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
    start: () => {
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

/** The video domain of a session. */
export type Video = ReturnType<typeof createVideoContext>['app'];

/** What the parts of the Video screen can do while they are shown; `pressed` is the shortcut that was used. */
export type VideoControls = {
  [Name in VideoControl]?: ((pressed: string) => void) | undefined;
};

export type VideoControl =
  | 'play'
  | 'frame'
  | 'event'
  | 'rate'
  | 'channel'
  | 'mark'
  | 'snapshot'
  | 'snapshot_all'
  | 'attach'
  | 'request'
  | 'queue'
  | 'retry'
  | 'cancel'
  | 'important'
  | 'export';

/** Joins what the parts of the Video screen offer, so that commands find it. */
function createVideoControls() {
  const offered = new Set<VideoControls>();
  return {
    /** Returns its undo. */
    offer(controls: VideoControls): () => void {
      offered.add(controls);
      return () => offered.delete(controls);
    },
    find(name: VideoControl): ((pressed: string) => void) | undefined {
      for (const controls of offered) if (controls[name] !== undefined) return controls[name];
      return undefined;
    },
  };
}
