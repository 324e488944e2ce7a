import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Rule, VideoWindow } from '../contract/rules.ts';
import type { SettingsFields } from '../contract/settings.ts';
import type { Wording } from '../contract/texts/serverWords.ts';
import type { Api } from '../http/api.ts';
import type { Collection } from '../store/entity.ts';
import type { Document } from '../store/documents/Document.ts';
import type { Store } from '../store/operations.ts';
import type { TaskRow, VehiclePeriod } from '../store/telemetry/rows.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import { createAccessLog } from './accessLog.ts';
import type { Sight } from '../notifications/sight.ts';
import type { PlacesWithin } from '../places/boundedPlaces.ts';
import { addEvidenceRoute } from './evidence/evidenceRoute.ts';
import { createSendEvidence } from './evidence/sendEvidence.ts';
import type { RenderService } from './simulation/renderService.ts';
import { around } from './fragments.ts';
import type { Mp4Service } from './media/mp4Service.ts';
import type { IsOwnAddress } from './ownAddress.ts';
import type { ProfileRecord, SecretsDocument } from './profileRecord.ts';
import { addProfileRoutes, addTaskRoutes } from './videoRoutes.ts';
import { createProfiles } from './profiles.ts';
import { recoverVideos } from './recovery.ts';
import { createAskRecordings } from './recordings.ts';
import { createDiskQuota } from './diskQuota.ts';
import { createScheduler } from './scheduler.ts';
import { createTaskRepository, type TaskRepositoryParts } from './taskRepository.ts';
import { checkTaskBounds, newTasks } from './newTasks.ts';
import { createTasks } from './tasks.ts';
import { cameraTimeouts, createHttpTerminal } from './terminals/httpTerminal.ts';
import { createSimulatedTerminal, type TrackSamples } from './terminals/simulatedTerminal.ts';
import { type Terminal, TerminalError } from './terminals/terminal.ts';
import { createVideoFiles, diskSpace, type DiskSpace } from './videoFiles.ts';

export interface VideoDeps {
  store: Pick<Store, 'tasks' | 'tasksById' | 'tasksIn' | 'events' | 'saveAccess' | 'accessOf' | 'track'>;
  acts: TaskRepositoryParts['acts'];
  profiles: Collection<ProfileRecord>;
  secrets: Document<SecretsDocument>;
  vehicles: Pick<Vehicles, 'get' | 'find' | 'byTerminal' | 'sees' | 'visible'>;
  settings: () => SettingsFields;
  clock: Clock;
  log: Logger;
  clip: Pick<RenderService, 'clip'>;
  media: Pick<Mp4Service, 'finish'>;
  trackSamples: TrackSamples;
  isOwnAddress: IsOwnAddress;
  /** Terminals that connect to this server; left out if it has no listener for them. */
  jt1078?: Terminal;
  sight: Sight;
  placesWithin: PlacesWithin;
  /** Of this program; stands in what is exported. */
  app_version: string;
  /** Null for a user who is gone. */
  loginOf: (userId: string) => string | null;
  wordingOf: (userId: string) => Wording;
  /** Where the videos lie, absolute; made if need be. */
  folder: string;
  onChange: TaskRepositoryParts['onChange'];
  isNeeded?: NonNullable<TaskRepositoryParts['isNeeded']>;
  commitWithEvents: TaskRepositoryParts['commitWithEvents'];
  /** Hears a few times a second at most how far tasks are; that is not stored. */
  onProgress?: (rows: readonly TaskRow[]) => void;
  /** Measures the disk of the folder. */
  readSpace?: (folder: string) => Promise<DiskSpace>;
  /** How long a camera may take for what, and how much it may send. */
  patience?: Partial<typeof cameraTimeouts>;
}

/** Stands in `created_by` for the depot's own rules. */
const depotUserId = '00000000-0000-0000-0000-000000000000';
const pruneSlice = 100;
const adoptPauseMs = 10_000;

export type VideoService = ReturnType<typeof createVideo>;

export function createVideo(deps: VideoDeps) {
  const { store, vehicles, settings, clock, log, media } = deps;
  const files = createVideoFiles(deps.folder, deps.readSpace ?? diskSpace);
  const ledger = createTaskRepository({ ...deps, files });
  const room = createDiskQuota({ files, ledger, settings, log });
  const checkQuota = () => room.check();
  const terminals = {
    http: createHttpTerminal({ ...deps, ...cameraTimeouts, ...deps.patience, checkQuota }),
    jt1078: deps.jt1078 ?? noTerminals,
    simulated: createSimulatedTerminal({ ...deps, vehicleOf: (id) => vehicles.get(id) }),
  };
  const terminalOf = (profile: ProfileRecord) => vehicles.get(profile.vehicle_id)?.terminal_id ?? '';
  const profiles = createProfiles({
    ...deps,
    collection: deps.profiles,
    isOnline,
    afterChange: profileChanged,
  });
  const tasks = createTasks({ ledger, profiles, vehicles, store, settings, clock });
  const scheduler = createScheduler({
    ledger,
    files,
    media,
    settings,
    room,
    clock,
    log,
    terminals,
    terminalOf,
    secretOf: (profile) => profiles.secretOf(profile),
    profileOf: (profileId) => profiles.get(profileId),
    onProgress: (rows) => deps.onProgress?.(rows),
  });
  const accesses = createAccessLog({ store, loginOf: deps.loginOf, clock, log });
  const closing = new AbortController();

  /** A camera at an address is not asked for the sake of a list: what is known of it is from its last download. */
  function isOnline(profile: ProfileRecord): boolean | null {
    if (profile.kind === 'http') return scheduler.wasOnline(profile.profile_id);
    const { kind, connection } = profile;
    const online = terminals[kind].isOnline({
      terminal_id: terminalOf(profile),
      connection,
      signal: closing.signal,
    });
    return typeof online === 'boolean' ? online : null;
  }

  /** The profile is stored; should its tasks not be, the scheduler comes back to them. */
  async function profileChanged(profileId: string): Promise<void> {
    try {
      await scheduler.profileChanged(profileId);
    } catch (error) {
      log.error({ err: error, profile_id: profileId }, 'tasks of a video profile could not be stored');
    }
  }

  function adopt(taskIds: readonly string[]): void {
    if (taskIds.length === 0 || closing.signal.aborted) return;
    ledger.takeUp(taskIds).catch((error: unknown) => {
      log.error({ err: error, tasks: taskIds.length }, 'video tasks of rules could not be read; retrying');
      clock.after(adoptPauseMs, () => adopt(taskIds));
    });
  }

  async function expire(taskIds: readonly string[], happening: 'age' | 'remove_file'): Promise<number> {
    let expired = 0;
    for (let at = 0; at < taskIds.length; at += pruneSlice) {
      const changed = await ledger.change(taskIds.slice(at, at + pruneSlice), (row) =>
        // It may have been marked while the ones before it went.
        happening === 'age' && row.important ? null : { happening },
      );
      expired += changed.length;
    }
    return expired;
  }

  async function doneTasksOf(
    vehicleId: string,
    period: { from_ms?: number; to_ms?: number } = {},
  ): Promise<string[]> {
    const ids: string[] = [];
    let before: { ms: number; id: string } | undefined;
    do {
      const rows = await store.tasks({
        vehicle_ids: [vehicleId],
        statuses: ['done'],
        limit: 1000,
        ...period,
        ...(before === undefined ? {} : { before }),
      });
      ids.push(...rows.map((row) => row.task_id));
      const last = rows.at(-1);
      before = last === undefined ? undefined : { ms: last.created_ms, id: last.task_id };
    } while (before !== undefined);
    return ids;
  }

  const clipsOf = ({ vehicle_id, from_ms, to_ms }: VehiclePeriod) =>
    doneTasksOf(vehicle_id, { from_ms: from_ms + 1, to_ms: to_ms - 1 });

  const sendEvidence = createSendEvidence({
    ...deps,
    tasks,
    accesses,
    pathOf: (name) => files.path(name),
    vehicleOf: (id) => vehicles.get(id),
    channelNameOf: ({ profile_id, channel }) =>
      profiles.get(profile_id)?.channels.find((it) => it.channel === channel)?.name ?? null,
    closing: closing.signal,
  });

  return {
    profiles,
    tasks,
    sendEvidence,

    /** Makes tasks and files agree, then begins to fetch. Before the routes are called. */
    async start(): Promise<void> {
      await recoverVideos({
        store,
        ledger,
        files,
        log,
        expiresAt: () => clock.now() + settings().video_retention_days * 86_400_000,
      });
      await profiles.sweepSecrets();
      scheduler.start();
    },

    /** Videos that are being fetched. */
    running: () => scheduler.running(),

    /** Ends all downloads, puts their tasks back in the line, and waits until that is stored. */
    async close(): Promise<void> {
      closing.abort();
      await scheduler.stop();
      await ledger.close();
      await accesses.close();
    },

    addRoutes(api: Api): void {
      const askRecordings = createAskRecordings({ terminals, terminalOf, clock });
      addProfileRoutes(api, { profiles, askRecordings, closing: closing.signal });
      addTaskRoutes(api, {
        tasks,
        sight: deps.sight,
        accesses,
        pathOf: (name) => files.path(name),
        vehicleOf: (id) => vehicles.get(id),
        closing: closing.signal,
      });
      addEvidenceRoute(api, tasks, sendEvidence);
    },

    /**
     * The tasks that a rule orders around a moment, on each channel of the vehicle, the small recordings first; none
     * without a profile, or where too many are unfinished. To be stored by the caller in one transaction, and then given
     * to `adopt`.
     */
    planForRule(
      vehicleId: string,
      at_ms: number,
      window: VideoWindow,
      eventId: string,
      rule: Pick<Rule, 'rule_id' | 'owner_id'>,
    ): TaskRow[] {
      const profile = profiles.ofVehicle(vehicleId);
      const period = around(at_ms, window, settings().video_max_s);
      if (profile === undefined || period === null) return [];
      const terminalId = vehicles.get(vehicleId)?.terminal_id ?? '';
      const rows = profile.channels.flatMap(({ channel }) =>
        newTasks(profile, terminalId, {
          ...period,
          channel,
          event_id: eventId,
          stream: null,
          sub_stream_first: true,
          rule_id: rule.rule_id,
          important: false,
          created_by: rule.owner_id ?? depotUserId,
          created_ms: clock.now(),
        }),
      );
      try {
        checkTaskBounds(ledger.unfinished(), rows);
        return rows;
      } catch (error) {
        log.warn({ err: error, rule_id: rule.rule_id, event_id: eventId }, 'rule could not request video');
        return [];
      }
    },

    /** Rejects when the disk has no more space for video. */
    checkQuota,
    /** Takes up tasks that were planned here and are stored now. */
    adopt: (rows: readonly TaskRow[]): void => adopt(rows.map((row) => row.task_id)),

    /** Gives up files whose time is over. To be called now and then. */
    async prune(): Promise<void> {
      const expired = await expire(ledger.overAt(clock.now()), 'age');
      if (expired > 0) log.info({ expired }, 'expired videos were removed');
      await room.tidy();
    },

    /** How many clips lie in a period of a vehicle, or reach into it; its end is not part of it. */
    countClips: async (period: VehiclePeriod): Promise<number> => (await clipsOf(period)).length,

    /** Deletes these, also important ones, and cancels what is still to be fetched of the period. Returns how many went. */
    async deleteClips(period: VehiclePeriod): Promise<number> {
      const { vehicle_id, from_ms, to_ms } = period;
      const open = ledger
        .unfinished()
        .filter((row) => row.vehicle_id === vehicle_id && row.from_ms < to_ms && row.to_ms > from_ms);
      await ledger.change(
        open.map((row) => row.task_id),
        () => ({ happening: 'cancel' }),
      );
      return expire(await clipsOf(period), 'remove_file');
    },

    /** Deletes a vehicle's profile and files; its tasks stay as cancelled or expired, for dealers to see. */
    async purgeVehicle(vehicleId: string): Promise<void> {
      const profile = profiles.ofVehicle(vehicleId);
      if (profile !== undefined) await profiles.remove(profile.profile_id, null);
      const open = ledger.unfinished().filter((row) => row.vehicle_id === vehicleId);
      await ledger.change(
        open.map((row) => row.task_id),
        () => ({ happening: 'cancel' }),
      );
      await expire(await doneTasksOf(vehicleId), 'remove_file');
    },
  };
}

/** Terminals that connect to a server that has no listener for them. */
const noTerminals: Terminal = {
  fetchFragment: () => Promise.reject(offline()),
  isOnline: () => false,
  recordings: () => Promise.reject(offline()),
};

function offline(): TerminalError {
  return new TerminalError('offline', 'This host has no port open for terminals of this kind.');
}
