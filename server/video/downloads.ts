import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { SettingsFields } from '../contract/settings.ts';
import type { TaskFile, TaskRow } from '../store/telemetry/rows.ts';
import { fileNameOf, fragmentKey } from './fragments.ts';
import type { Fragment } from './fragmentQueue.ts';
import type { Mp4Service } from './media/mp4Service.ts';
import { noProgress, type Progress } from './presentTask.ts';
import type { ProfileRecord } from './profileRecord.ts';
import type { TaskRepository } from './taskRepository.ts';
import type { DiskQuota } from './diskQuota.ts';
import type { Terminal, FragmentRequest } from './terminals/terminal.ts';
import { failureOf, type Failure } from './failurePolicy.ts';
import type { VideoFiles } from './videoFiles.ts';

export interface DownloadDeps {
  ledger: TaskRepository;
  files: VideoFiles;
  media: Pick<Mp4Service, 'finish'>;
  terminals: Record<ProfileRecord['kind'], Terminal>;
  secretOf: (profile: ProfileRecord) => string | null;
  /** The terminal of the profile's vehicle, as it is now. */
  terminalOf: (profile: ProfileRecord) => string;
  settings: () => SettingsFields;
  room: DiskQuota;
  clock: Clock;
  log: Logger;
  /** Hears now and then how far the downloads of these tasks are. */
  onProgress: (rows: readonly TaskRow[]) => void;
}

export type Ending =
  | { kind: 'done' }
  /** Nobody wants it any more, or the host ends. */
  | { kind: 'stopped' }
  | { kind: 'failed'; failure: Failure };

export interface Download {
  readonly key: string;
  readonly profile_id: string;
  /** Takes in tasks that ask for the same fragment meanwhile. */
  join(rows: readonly TaskRow[]): Promise<void>;
  stop(): void;
  readonly stopped: boolean;
  /** Rejects only when the store does. */
  readonly ending: Promise<Ending>;
}

/** Steps in which progress is published: finer ones are not visible, and each is a message to every console. */
const publishedStep = 0.02;
/** If the size is unknown there is no fraction to go by. */
const publishedBytes = 500_000;
const publishedPauseMs = 500;

const noFullQuality = 'The terminal keeps no recording of this time in full quality.';

/**
 * The stream of the tasks stands in the place of the profile's. A small one that a full one follows is there for a
 * quick picture: where the terminal has no small recording, the one it has will do.
 */
function connectionFor({ rows }: Fragment, { connection }: ProfileRecord): ProfileRecord['connection'] {
  const { stream: usual, ...others } = connection;
  const stream = rows[0]?.stream ?? usual;
  const orElse = stream === 'sub' && rows.some((row) => row.main_task_id !== null);
  return stream === undefined || orElse ? others : { ...others, stream };
}

/** Begins the download of a fragment for all its tasks. */
export function startDownload(fragment: Fragment, profile: ProfileRecord, deps: DownloadDeps): Download {
  const { ledger, files, clock } = deps;
  const { key, profile_id } = fragment;
  const [first] = fragment.rows;
  if (first === undefined) throw new Error('a fragment without tasks');
  const fileName = fileNameOf(first, profile);
  const { channel, from_ms, to_ms } = first;
  const wanted = {
    vehicle_id: profile.vehicle_id,
    terminal_id: deps.terminalOf(profile),
    connection: connectionFor(fragment, profile),
    channel: profile.channels.find((it) => it.channel === channel) ?? { channel, name: `${channel}` },
    from_ms,
    to_ms,
  };
  const controller = new AbortController();
  const { signal } = controller;
  let received = false;
  let published = { ...noProgress, at: -Infinity };

  const mine = () => ledger.unfinished().filter((row) => fragmentKey(row) === key);
  const ids = () => mine().map((row) => row.task_id);

  function publishProgress(progress: Progress): void {
    const rows = mine();
    for (const row of rows) ledger.setProgress(row.task_id, progress);
    const now = clock.monotonic();
    if (!isUpdate(progress) || now - published.at < publishedPauseMs) return;
    published = { ...progress, at: now };
    deps.onProgress(rows);
  }

  function isUpdate({ fraction, bytes }: Progress): boolean {
    const more = (bytes?.received ?? 0) - (published.bytes?.received ?? 0);
    return (
      fraction - published.fraction >= publishedStep ||
      (bytes !== null && bytes.total === null && more >= publishedBytes)
    );
  }

  /** The file that another task has of this fragment, if it is there. */
  async function fileAtHand(): Promise<TaskFile | null> {
    const [holder] = ledger.tasksByFile(fileName);
    const file = holder === undefined ? null : ((await ledger.row(holder))?.file ?? null);
    return file !== null && (await files.size(fileName)) === file.size_bytes ? file : null;
  }

  /** A file that was removed in the meantime is not there for these tasks either. */
  async function finish(file: TaskFile, stillThere: () => boolean): Promise<number> {
    const expires_ms = clock.now() + deps.settings().video_retention_days * 86_400_000;
    const done = await ledger.change(ids(), (row) =>
      fragmentKey(row) === key && stillThere()
        ? { happening: 'file_there', facts: { file, file_name: fileName, expires_ms } }
        : null,
    );
    return done.length;
  }

  async function fetch(): Promise<void> {
    const file = await obtainVideo(
      {
        terminal: deps.terminals[profile.kind],
        fragment: { ...wanted, secret: deps.secretOf(profile) },
        fileName,
        signal,
        onProgress: publishProgress,
        async onReceived() {
          received = true;
          await ledger.change(ids(), () => ({ happening: 'received' }));
        },
        async onFinished(finished) {
          await ledger.change(ids(), () => ({
            happening: 'state_file',
            facts: { file: finished, file_name: fileName },
          }));
        },
      },
      deps,
    );
    const held = await finish(file, () => true);
    if (held === 0 && ledger.tasksByFile(fileName).length === 0) await files.remove(fileName);
  }

  /**
   * A main stream that fails for good is recorded as missing on the terminal: a terminal that sent the sub-stream and
   * rejects the main stream has none. If it only failed it may still be closing the sub-stream, and is asked again.
   */
  function inItsPlace(failure: Failure): Failure {
    const { fault, detail } = failure;
    const isFull = wanted.connection.stream === 'main';
    const isAfterSmall = isFull && hasSmall();
    if ((fault === 'no_recording' && isFull) || (fault === 'refused' && isAfterSmall)) {
      return { fault: 'no_recording', detail: noFullQuality };
    }
    return fault === 'declined' && !isAfterSmall ? { fault: 'refused', detail } : failure;
  }

  function hasSmall(): boolean {
    return (
      ledger.tasksByFile(fileNameOf({ channel, from_ms, to_ms, profile_id, stream: 'sub' }, profile)).length >
      0
    );
  }

  /** The video is there, whatever comes of this. */
  async function tidy(): Promise<void> {
    try {
      await deps.room.tidy(fileName);
    } catch (error) {
      deps.log.error({ err: error }, 'old videos could not be deleted to free disk space');
    }
  }

  async function run(): Promise<Ending> {
    const atHand = await fileAtHand();
    if (atHand !== null && (await finish(atHand, () => ledger.tasksByFile(fileName).length > 0)) > 0) {
      return { kind: 'done' };
    }
    try {
      await deps.room.check();
      const begun = await ledger.change(ids(), () => ({ happening: 'begin' }));
      if (begun.length === 0 || signal.aborted) return { kind: 'stopped' };
      await fetch();
      await tidy();
      return { kind: 'done' };
    } catch (error) {
      if (signal.aborted) return { kind: 'stopped' };
      const failure = inItsPlace(failureOf(error));
      const unexpected = failure.fault === 'failed';
      deps.log[unexpected ? 'error' : 'info'](
        { err: unexpected ? error : undefined, profile_id, fault: failure.fault, detail: failure.detail },
        'a video fragment did not come',
      );
      return { kind: 'failed', failure };
    }
  }

  return {
    key,
    profile_id,
    get stopped() {
      return signal.aborted;
    },
    async join(rows) {
      const joining = rows.map((row) => row.task_id);
      await ledger.change(joining, (row) => (fragmentKey(row) === key ? { happening: 'begin' } : null));
      if (received) await ledger.change(joining, () => ({ happening: 'received' }));
    },
    stop: () => controller.abort(new Error('the download was stopped')),
    ending: run(),
  };
}

interface ObtainDeps {
  files: VideoFiles;
  media: Pick<Mp4Service, 'finish'>;
  log: Logger;
}

interface ObtainOrder {
  terminal: Terminal;
  fragment: Omit<FragmentRequest, 'output' | 'signal' | 'onProgress'>;
  fileName: string;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  /** Called when all bytes are here; the way goes on when it resolves. */
  onReceived: () => Promise<void>;
  /** Called before the file gets its name; the way goes on when it resolves. */
  onFinished: (file: TaskFile) => Promise<void>;
}

/** The wire is slow, the disk is not. */
const downloadShare = 0.9;

/**
 * From the terminal to a file under its name in the video folder; leaves nothing else behind, however it ends. Answers
 * the file's facts.
 * @throws {TerminalError}, {MediaError}, the system's errors, what the callbacks throw, or the signal's reason
 */
async function obtainVideo(order: ObtainOrder, { files, media, log }: ObtainDeps): Promise<TaskFile> {
  const { terminal, fragment, fileName, signal, onProgress } = order;
  const input = files.downloadPath(fileName);
  const output = files.finishedPath(fileName);
  try {
    const starts_ms = await terminal.fetchFragment({
      ...fragment,
      output: input,
      signal,
      onProgress: (fraction, bytes) => onProgress({ fraction: fraction * downloadShare, bytes }),
    });
    await order.onReceived();
    const { codec: _, ...finished } = await media.finish({
      input,
      output,
      expected_s: (fragment.to_ms - fragment.from_ms) / 1000,
      signal,
      onProgress: (fraction) =>
        onProgress({ fraction: downloadShare + fraction * (1 - downloadShare), bytes: null }),
    });
    const file = { ...finished, starts_at: starts_ms === null ? null : new Date(starts_ms).toISOString() };
    await order.onFinished(file);
    signal.throwIfAborted();
    await files.publish(fileName);
    return file;
  } finally {
    try {
      await files.removeParts(fileName);
    } catch (error) {
      // What is left over goes with the next attempt or start.
      log.warn({ err: error, file: fileName }, 'temporary files of a video could not be removed');
    }
  }
}
