import { causeOf } from '../../contract/causeTexts.ts';
import { randomUUID } from 'node:crypto';
import type { ReadStream } from 'node:fs';
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import { resultKeptH, type ReportFileFormat, type ReportJob } from '../../contract/reportJobs.ts';
import type { ReportKind } from '../../contract/reportRows.ts';
import { createFairQueue } from '../../fairQueue.ts';
import { ApiError, notFound, ofWork } from '../../http/apiError.ts';
import { checkQuota } from '../../http/quotas.ts';
import { holds, type Viewer } from '../../http/viewer.ts';
import { isoTime } from '../../telemetry/presentPosition.ts';
import { WorkFailed } from '../../workerChannel.ts';
import type { ReportMaker } from '../reportRoutes.ts';
import { openJobFiles, type JobRecord } from './jobFiles.ts';

/** Under way at a time, in all: the reports' threads take them in turn, short ones before long ones. */
const maxRunning = 4;
/** Ended ones that a user's newer ones leave: their results are for a day. */
const keptPerUser = 20;
/** One that was under way at so many ends of the host is taken for their cause. */
const maxStarts = 3;
const keptMs = resultKeptH * 3_600_000;
const sweepMs = 600_000;

/** Results on the disk together. */
const standardBudget = { ofUser: 512 * 1024 * 1024, all: 4 * 1024 * 1024 * 1024 };

export interface ReportJobsDeps {
  folder: string;
  maker: ReportMaker;
  /** Whom a job acts for now; null when the user is gone or blocked, or the token was revoked. */
  viewerFor: (userId: string, tokenId: string | null) => Viewer | null;
  /** What may be written to the disk beside its reserve. */
  freeBytes: () => Promise<number>;
  budget?: typeof standardBudget;
  clock: Clock;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

export type ReportJobs = Awaited<ReturnType<typeof openReportJobs>>;

/** Reports that run in the background, by the reports' own threads; they and their results outlive the host. */
export async function openReportJobs(deps: ReportJobsDeps) {
  const { maker, viewerFor, budget = standardBudget, clock, log } = deps;
  const files = await openJobFiles(deps.folder, log);
  const jobs = new Map<string, JobRecord>();
  const queue = createFairQueue<string>();
  const running = new Map<string, { abort: AbortController; progress: number; ended: Promise<void> }>();
  let isClosing = false;
  let stopTimer = clock.after(sweepMs, sweep);

  for (const record of await files.load()) {
    const isOver = record.finished_at !== null;
    jobs.set(record.job_id, isOver ? record : { ...record, state: 'queued' });
    if (isOver) continue;
    if (record.starts >= maxStarts)
      await end(record, new ApiError('unavailable', causeOf('report.server_stopped')));
    else queue.add(record.user_id, record.job_id);
  }

  const all = () => [...jobs.values()].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  const isEnded = ({ finished_at }: JobRecord) => finished_at !== null;

  function change(job: JobRecord, part: Partial<JobRecord>): JobRecord {
    const changed = { ...job, ...part };
    jobs.set(job.job_id, changed);
    return changed;
  }

  async function end(job: JobRecord, { code, message: detail, causes }: ApiError): Promise<void> {
    const error = { code, detail, ...(causes === undefined ? {} : { causes }) };
    const none = { bytes: null, name: null, content_type: null };
    const ended = change(job, { state: 'failed', error, finished_at: isoTime(clock.now()), ...none });
    await files.removeResult(job.job_id);
    await files.save(ended);
  }

  function startMore(): void {
    while (!isClosing && running.size < maxRunning) {
      const job = jobs.get(queue.take() ?? '');
      if (job === undefined) {
        if (queue.size() === 0) return;
        continue;
      }
      const abort = new AbortController();
      const own = { abort, progress: 0, ended: Promise.resolve() };
      running.set(job.job_id, own);
      own.ended = run(job, own).finally(() => {
        running.delete(job.job_id);
        startMore();
      });
    }
  }

  async function run(queued: JobRecord, own: { abort: AbortController; progress: number }): Promise<void> {
    const { signal } = own.abort;
    const job = change(queued, { state: 'running', starts: queued.starts + 1 });
    try {
      await files.save(job);
      signal.throwIfAborted();
      const made = await maker.make(askedOf(job), viewerOf(job), {
        user_id: job.user_id,
        signal,
        onProgress: (fraction) => (own.progress = Math.max(own.progress, fraction)),
      });
      const bytes = made.pieces.reduce((sum, it) => sum + it.length, 0);
      await makeSpace(job, bytes);
      signal.throwIfAborted();
      await files.writeResult(job.job_id, made.pieces);
      const { name, contentType: content_type } = made;
      const finished_at = isoTime(clock.now());
      await files.save(change(job, { state: 'done', finished_at, bytes, name, content_type }));
      await dropOldest(job.user_id);
    } catch (error) {
      // One that was under way when the host stopped begins again with it.
      if (signal.aborted || isClosing) return;
      const refusal = error instanceof ApiError ? error : error instanceof WorkFailed ? ofWork(error) : null;
      if (refusal === null) log.error({ err: error, job_id: job.job_id }, 'report job failed');
      await end(job, refusal ?? new ApiError('internal', 'Internal error; see the server log.')).catch(
        (fault: unknown) =>
          log.error({ err: fault, job_id: job.job_id }, 'a failed report job was not stored'),
      );
    }
  }

  function viewerOf({ user_id, token_id }: JobRecord): Viewer {
    const viewer = viewerFor(user_id, token_id);
    if (viewer === null || !holds(viewer, 'reports', 'read'))
      throw new ApiError('forbidden', causeOf('report.not_allowed'));
    return viewer;
  }

  /** Older results give way; first those of the same user. Throws 413, 507. */
  async function makeSpace({ user_id }: JobRecord, bytes: number): Promise<void> {
    if (bytes > budget.ofUser)
      throw new ApiError('too_large', causeOf('report.result_too_large', { bytes, most: budget.ofUser }));
    const results = () => all().filter((it) => it.bytes !== null);
    const sumOf = (some: readonly JobRecord[]) => some.reduce((sum, it) => sum + (it.bytes ?? 0), 0);
    const dropFrom = async (some: () => readonly JobRecord[], max: number) => {
      while (sumOf(some()) + bytes > max) {
        const oldest = some().at(-1);
        if (oldest === undefined) return;
        await end(oldest, new ApiError('file_expired', 'Newer results have taken its space.'));
      }
    };
    await dropFrom(() => results().filter((it) => it.user_id === user_id), budget.ofUser);
    await dropFrom(results, budget.all);
    if ((await deps.freeBytes()) < bytes)
      throw new ApiError('disk_full', 'The disk has no space for the result.');
  }

  async function dropOldest(userId: string): Promise<void> {
    const ended = all().filter((it) => it.user_id === userId && isEnded(it));
    for (const job of ended.slice(keptPerUser)) await remove(job);
  }

  async function remove(job: JobRecord): Promise<void> {
    jobs.delete(job.job_id);
    queue.remove(job.job_id);
    const own = running.get(job.job_id);
    own?.abort.abort(new Error('the job was cancelled'));
    await own?.ended;
    await files.remove(job.job_id);
  }

  function sweep(): void {
    stopTimer = clock.after(sweepMs, sweep);
    const expired = all().filter((it) => isExpired(it, clock.now()));
    Promise.all(expired.map(remove)).catch((error: unknown) =>
      log.error({ err: error }, 'expired report jobs were not deleted'),
    );
  }

  function find(jobId: string, viewer: Viewer): JobRecord {
    const job = jobs.get(jobId);
    if (job === undefined || !isOf(job, viewer) || isExpired(job, clock.now())) throw notFound('report job');
    return job;
  }

  const present = (job: JobRecord): ReportJob => presentJob(job, running.get(job.job_id)?.progress ?? 0);

  startMore();

  return {
    list: (viewer: Viewer): ReportJob[] =>
      all()
        .filter((it) => isOf(it, viewer) && !isExpired(it, clock.now()))
        .map(present),
    get: (jobId: string, viewer: Viewer): ReportJob => present(find(jobId, viewer)),

    /** Throws 400 and 404 as the report itself would, 409 beyond the quotas. */
    async start(
      wanted: { kind: ReportKind; format: ReportFileFormat; query: JobRecord['query'] },
      viewer: Viewer,
    ): Promise<ReportJob> {
      maker.check(askedOf(wanted), viewer);
      const { user_id } = viewer.user;
      const open = all().filter((it) => !isEnded(it));
      checkQuota('report_jobs', open.length, 1);
      checkQuota('report_jobs_of_user', open.filter((it) => it.user_id === user_id).length, 1);
      const { kind, format, query } = wanted;
      const job: JobRecord = {
        ...{ job_id: randomUUID(), user_id, token_id: viewer.token?.token_id ?? null },
        ...{ kind, format, query, state: 'queued', starts: 0, error: null },
        ...{ name: null, bytes: null, content_type: null },
        ...{ created_at: isoTime(clock.now()), finished_at: null },
      };
      jobs.set(job.job_id, job);
      try {
        await files.save(job);
      } catch (error) {
        jobs.delete(job.job_id);
        throw error;
      }
      queue.add(user_id, job.job_id);
      startMore();
      return present(jobs.get(job.job_id) ?? job);
    },

    /** Throws 404. What is under way has ended when it resolves. */
    remove: (jobId: string, viewer: Viewer): Promise<void> => remove(find(jobId, viewer)),

    /** Throws 404, 409 while it is not done, 410 when the file is gone. */
    async result(jobId: string, viewer: Viewer): Promise<{ job: JobRecord; content: ReadStream }> {
      const job = find(jobId, viewer);
      if (job.state !== 'done') throw new ApiError('task_not_done', `The report is ${job.state}.`);
      const content = await files.read(job);
      if (content === null) throw new ApiError('file_missing', 'The result is not in the data folder.');
      return { job, content };
    },

    /** What a user may see has changed: results of before are deleted, and what is under way begins again. */
    async sightChanged(userId: string, isGone: boolean): Promise<void> {
      for (const { job_id } of all().filter((it) => it.user_id === userId)) {
        const own = running.get(job_id);
        own?.abort.abort(new Error('the rights of its user have changed'));
        await own?.ended;
        const job = jobs.get(job_id);
        if (job === undefined) continue;
        if (isGone) await remove(job);
        else if (job.bytes !== null)
          await end(job, new ApiError('file_expired', causeOf('report.access_changed')));
        else if (own !== undefined && !isEnded(job)) {
          change(job, { state: 'queued' });
          queue.add(userId, job_id);
          startMore();
        }
      }
    },

    /** What is under way begins again with the next start. */
    async close(): Promise<void> {
      isClosing = true;
      stopTimer();
      for (const { abort } of running.values()) abort.abort(new Error('the host is shutting down'));
      await Promise.all([...running.values()].map((it) => it.ended));
    },
  };
}

const askedOf = ({ kind, format, query }: Pick<JobRecord, 'kind' | 'format' | 'query'>) => ({
  kind,
  query: { ...query, format },
});

/** An API token sees what it has started itself. */
const isOf = ({ user_id, token_id }: JobRecord, { user, token }: Viewer): boolean =>
  user_id === user.user_id && (token === undefined || token.token_id === token_id);

const isExpired = ({ finished_at }: JobRecord, now_ms: number): boolean =>
  finished_at !== null && now_ms - Date.parse(finished_at) >= keptMs;

function presentJob(job: JobRecord, progress: number): ReportJob {
  const { user_id: _, token_id: __, content_type: ___, starts: ____, ...shown } = job;
  const expires_at = job.finished_at === null ? null : isoTime(Date.parse(job.finished_at) + keptMs);
  return { ...shown, progress: job.state === 'done' ? 1 : progress, expires_at };
}
