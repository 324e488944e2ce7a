import { causeOf } from '../contract/causeTexts.ts';
import { z } from 'zod';
import type { BodyOf } from '../contract/route.ts';
import {
  newTask,
  type NewTask,
  type Task,
  type TaskPatch,
  type TasksOfVehicles,
  type videoRoutes,
} from '../contract/video.ts';
import type { SettingsFields } from '../contract/settings.ts';
import { ApiError, checkVersion, invalid, notFound } from '../http/apiError.ts';
import { bulkOf } from '../http/bulk.ts';
import { applyMergePatch } from '../http/mergePatch.ts';
import { beforeOf } from '../http/pagination.ts';
import { isDealer, type Viewer } from '../http/viewer.ts';
import type { Once } from '../store/acts.ts';
import type { TaskQuery, TaskRow } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import { checkAsked, checkSpan, fragmentKey, type FragmentSpec } from './fragments.ts';
import { newTasks, checkTaskBounds } from './newTasks.ts';
import { noProgress, presentTask, retryAfterS } from './presentTask.ts';
import type { ProfileRecord } from './profileRecord.ts';
import type { Profiles } from './profiles.ts';
import type { Decide, TransitionRequest, TaskRepository } from './taskRepository.ts';
import { isUnfinished } from './taskTransitions.ts';

export interface TaskFilter {
  limit: number;
  cursor?: string | undefined;
  status?: readonly string[] | undefined;
  terminal_id?: string | undefined;
  event_id?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export interface TasksDeps {
  ledger: TaskRepository;
  profiles: Pick<Profiles, 'find' | 'get' | 'visible'>;
  vehicles: Pick<Vehicles, 'get' | 'sees' | 'visible' | 'byTerminal'>;
  store: Pick<Store, 'tasks' | 'events'>;
  settings: () => SettingsFields;
  clock: { now(): number; after(ms: number, call: () => void): () => void };
}

const askedFields = z.strictObject({
  important: newTask.shape.important,
  channel: newTask.shape.channel,
  from: newTask.shape.from,
  to: newTask.shape.to,
});

export type Tasks = ReturnType<typeof createTasks>;

export function createTasks({ ledger, profiles, vehicles, store, settings, clock }: TasksDeps) {
  async function find(taskId: string, viewer: Viewer): Promise<TaskRow> {
    const row = await ledger.row(taskId);
    if (row === undefined || !vehicles.sees(viewer, row.vehicle_id)) throw notFound('video task');
    return row;
  }

  function check(asked: FragmentSpec, profile: ProfileRecord): void {
    checkAsked(asked, { profile, video_max_s: settings().video_max_s, now_ms: clock.now() });
  }

  async function checkEvent(eventId: string, vehicleId: string): Promise<void> {
    const [event] = await store.events({ event_ids: [eventId], limit: 1 });
    if (event?.vehicle_id !== vehicleId)
      throw invalid('event_id', 'is not an event of this vehicle', 'unknown');
  }

  function rowsOf(
    profile: ProfileRecord,
    asked: FragmentSpec & Pick<NewTask, 'event_id' | 'stream' | 'sub_stream_first' | 'important'>,
    { user }: Viewer,
  ): [TaskRow, ...TaskRow[]] {
    const { channel, from_ms, to_ms, event_id, stream, sub_stream_first, important } = asked;
    return newTasks(profile, vehicles.get(profile.vehicle_id)?.terminal_id ?? '', {
      ...{ channel, from_ms, to_ms, event_id, stream, sub_stream_first, important },
      ...{ rule_id: null, created_by: user.user_id, created_ms: clock.now() },
    });
  }

  /** The task after the change, or as it was when nothing happened to it. */
  async function change(
    taskId: string,
    viewer: Viewer,
    decide: Decide,
    related: readonly string[] = [],
  ): Promise<TaskRow> {
    await find(taskId, viewer);
    const changed = await ledger.change([taskId, ...related], decide);
    return changed.find((row) => row.task_id === taskId) ?? find(taskId, viewer);
  }

  /** The small recording that names this full one; they ask for the same span. */
  async function subStreamOf({ task_id, stream, vehicle_id, from_ms, to_ms }: TaskRow) {
    if (stream !== 'main') return undefined;
    const rows = await store.tasks({ vehicle_ids: [vehicle_id], from_ms, to_ms, limit: maxAtOneTime });
    return rows.find((row) => row.main_task_id === task_id);
  }

  function profileOf(row: TaskRow): ProfileRecord {
    const profile = profiles.get(row.profile_id);
    if (profile === undefined) throw notFound('video profile');
    return profile;
  }

  return {
    /** Throws 404 for what is not there or not the viewer's. */
    find,

    /** Newest first, one more than asked for when there are more. */
    async list(
      { limit, cursor, status, terminal_id, event_id, from, to }: TaskFilter,
      viewer: Viewer,
    ): Promise<TaskRow[]> {
      let vehicle_ids = isDealer(viewer) ? undefined : vehicles.visible(viewer).map((it) => it.vehicle_id);
      if (terminal_id !== undefined) {
        const vehicle = vehicles.byTerminal(terminal_id);
        vehicle_ids =
          vehicle !== undefined && vehicles.sees(viewer, vehicle.vehicle_id) ? [vehicle.vehicle_id] : [];
      }
      const query: TaskQuery = { limit: limit + 1, ...beforeOf(cursor) };
      if (vehicle_ids !== undefined) query.vehicle_ids = vehicle_ids;
      if (status !== undefined && status.length > 0) query.statuses = [...status];
      if (event_id !== undefined) query.event_id = event_id;
      if (from !== undefined) query.from_ms = Date.parse(from);
      if (to !== undefined) query.to_ms = Date.parse(to);
      return store.tasks(query);
    },

    /**
     * Answers the one task, or the small one whose `main_task_id` names the other.
     * Throws 404 for the profile, 400 naming the field that is wrong, 429 when too many are unfinished.
     */
    async create(wanted: NewTask, viewer: Viewer, once?: Once<TaskRow>): Promise<TaskRow> {
      const profile = profiles.find(wanted.profile_id, viewer);
      const asked = {
        channel: wanted.channel,
        from_ms: Date.parse(wanted.from),
        to_ms: Date.parse(wanted.to),
      };
      check(asked, profile);
      if (wanted.event_id !== null) await checkEvent(wanted.event_id, profile.vehicle_id);
      const rows = rowsOf(profile, { ...wanted, ...asked }, viewer);
      return ledger.add((unfinished) => {
        checkTaskBounds(unfinished, rows);
        return { rows, result: rows[0] };
      }, once);
    },

    /** Clips of one span from many vehicles, in one transaction. Throws 400 for the span. */
    async createMany(
      { vehicle_ids, channels, from, to, ...wanted }: BodyOf<typeof videoRoutes.createTasks>,
      viewer: Viewer,
      once?: Once<TasksOfVehicles>,
    ): Promise<TasksOfVehicles> {
      const span = { from_ms: Date.parse(from), to_ms: Date.parse(to) };
      checkSpan(span, { video_max_s: settings().video_max_s, now_ms: clock.now() });
      const byVehicle = new Map(profiles.visible(viewer).map((it) => [it.vehicle_id, it]));
      return ledger.add((unfinished) => {
        const rows: TaskRow[] = [];
        const without_cameras: string[] = [];
        const result = bulkOf(
          vehicle_ids.filter((id) => {
            const isWithout =
              !byVehicle.has(id) && vehicles.get(id) !== undefined && vehicles.sees(viewer, id);
            if (isWithout) without_cameras.push(id);
            return !isWithout;
          }),
          (id) => {
            const profile = byVehicle.get(id);
            if (profile === undefined) throw notFound('vehicle');
            const own = profile.channels.filter((it) => channels?.includes(it.channel) !== false);
            if (own.length === 0) throw new ApiError('validation_failed', causeOf('video.no_channel'));
            const others = { event_id: null, stream: null };
            const added = own.flatMap(({ channel }) =>
              rowsOf(profile, { ...wanted, ...others, ...span, channel }, viewer),
            );
            checkTaskBounds([...unfinished, ...rows], added);
            rows.push(...added);
          },
        );
        return { rows, result: { ...result, without_cameras, tasks: rows.length } };
      }, once);
    },

    /** Throws 400, 404, 409 once the download has begun, 412. */
    async patch(taskId: string, patch: TaskPatch, viewer: Viewer, ifMatch: number | null): Promise<TaskRow> {
      const isMarkOnly = patch.channel === undefined && patch.from === undefined && patch.to === undefined;
      const small = isMarkOnly ? undefined : await subStreamOf(await find(taskId, viewer));
      let isMoved = false;
      const decide: Decide = (row) => {
        if (row.task_id !== taskId) return isMoved && row.main_task_id === taskId ? leaveFull(row) : null;
        checkVersion(ifMatch, row.version);
        const { important, channel, from, to } = presentTask(row, noProgress);
        const wanted = applyMergePatch(askedFields, { important, channel, from, to }, patch);
        if (isMarkOnly) {
          const facts = { important: wanted.important };
          return wanted.important === important ? null : { happening: 'mark', facts };
        }
        if (row.status !== 'queued' && row.status !== 'waiting') throw inUse();
        const asked = {
          channel: wanted.channel,
          from_ms: Date.parse(wanted.from),
          to_ms: Date.parse(wanted.to),
        };
        check(asked, profileOf(row));
        const facts = { ...asked, important: wanted.important };
        // The full one after it brings what was asked for before: this one stands alone now.
        isMoved = fragmentKey({ ...row, ...asked }) !== fragmentKey(row);
        const isAlone = row.main_task_id !== null && isMoved;
        return { happening: 'ask_anew', facts: { ...facts, ...(isAlone ? alone : {}) } };
      };
      return change(taskId, viewer, decide, small === undefined ? [] : [small.task_id]);
    },

    /** Cancels an unfinished task; of a done one the file is given up. Throws 404, 412. */
    remove: (taskId: string, viewer: Viewer, ifMatch: number | null): Promise<TaskRow> =>
      change(taskId, viewer, (row) => {
        checkVersion(ifMatch, row.version);
        if (isUnfinished(row.status)) return { happening: 'cancel' };
        return row.status === 'done' ? { happening: 'remove_file' } : null;
      }),

    /** Throws 404 (for a profile that is gone too), 409 for a task that is under way or done, 429 as `create`. */
    retry: (taskId: string, viewer: Viewer): Promise<TaskRow> =>
      change(taskId, viewer, (row) => {
        if (isUnfinished(row.status) || row.status === 'done') throw inUse();
        profileOf(row);
        checkTaskBounds(ledger.unfinished(), [row]);
        return { happening: 'retry' };
      }),

    /** Resolves when the task's status is another than this one; after `ms`; or when the signal says so. */
    statusChange: (row: TaskRow, ms: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const isNow = ledger.unfinished().find((it) => it.task_id === row.task_id);
        if (isNow?.status !== row.status || signal.aborted) {
          resolve();
          return;
        }
        const end = () => {
          stopListening();
          stopTimer();
          signal.removeEventListener('abort', end);
          resolve();
        };
        const stopListening = ledger.onChange((rows) => {
          if (rows.some((it) => it.task_id === row.task_id && it.status !== row.status)) end();
        });
        const stopTimer = clock.after(ms, end);
        signal.addEventListener('abort', end);
      }),

    present: (row: TaskRow): Task => presentTask(row, ledger.progress(row.task_id)),
    /** When it is worth asking again; null for a finished task. */
    retryAfterS: (row: TaskRow): number | null => retryAfterS(row, clock.now()),

    /** Notes that the file of a done task is not there. */
    async loseFile(taskId: string): Promise<void> {
      const error = { code: 'file_missing', detail: 'The file is not in the video folder.' } as const;
      await ledger.change([taskId], () => ({ happening: 'lose_file', facts: { error } }));
    },
  };
}

/** What a small recording becomes whose full one is to bring something else; what is on its way, or here, stays small. */
function leaveFull({ status }: TaskRow): TransitionRequest {
  const isSmall = status === 'downloading' || status === 'processing' || status === 'done';
  return { happening: 'mark', facts: isSmall ? { main_task_id: null } : alone };
}

const alone = { stream: null, main_task_id: null };
/** A vehicle's orders of the same moment. */
const maxAtOneTime = 1_000;

function inUse(): ApiError {
  return new ApiError('in_use', causeOf('video.task_changed'));
}
