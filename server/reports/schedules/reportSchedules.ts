import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { pause, type Clock } from '../../clock.ts';
import type { Cause } from '../../contract/causes.ts';
import { causeOf, said } from '../../contract/causeTexts.ts';
import {
  newReportSchedule,
  type NewReportSchedule,
  type ReportSchedule,
  type ReportSchedulePatch,
  type ScheduledRun,
} from '../../contract/reportSchedules.ts';
import { ApiError, causesOf, checkVersion, invalid, notFound, ofWork } from '../../http/apiError.ts';
import { applyMergePatch } from '../../http/mergePatch.ts';
import { createLines } from '../../http/lines.ts';
import { createWindow } from '../../http/rateLimit.ts';
import { holds, isDealer, type Viewer } from '../../http/viewer.ts';
import type { Recipients } from '../../notifications/channels/recipients.ts';
import type { Health } from '../../settings/health.ts';
import type { Collection } from '../../store/entity.ts';
import { isoTime } from '../../telemetry/presentPosition.ts';
import { WorkFailed } from '../../workerChannel.ts';
import type { TimeRange } from '../../geofences/scheduleClock.ts';
import type { ReportMaker, StoredQuery } from '../reportRoutes.ts';
import type { Delivered, DeliverReport } from './deliverReport.ts';
import type { ScheduleRecord } from './scheduleRecord.ts';
import { lastDue, nextDue, periodBefore } from './scheduleTimes.ts';

const lookMs = 60_000;
/** A mail server or a folder on the network is given so many tries in all, with this pause between them. */
const maxTries = 3;
const pauseMs = 600_000;
/** Each of them sends mail. */
const runsByHand = { limit: 20, windowMs: 3_600_000 };
const maxNamed = 5;
/** Most are due at the same times; each holds its file in memory. */
const atOnce = 2;

export interface ReportSchedulesDeps {
  collection: Collection<ScheduleRecord>;
  maker: ReportMaker;
  deliver: DeliverReport;
  /** Throws 400 for a folder into which nothing can be written. */
  checkFolder: (folder: string) => Promise<void>;
  recipients: Pick<Recipients, 'isApproved' | 'approve'>;
  viewerFor: (userId: string, tokenId: string | null) => Viewer | null;
  timezone: () => string;
  health: Pick<Health, 'set'>;
  clock: Clock;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

export type ReportSchedules = ReturnType<typeof createReportSchedules>;

/** Reports that are made when their time comes, with the rights of their owners at that time. */
export function createReportSchedules(deps: ReportSchedulesDeps) {
  const { collection, maker, deliver, recipients, viewerFor, timezone, health, clock, log } = deps;
  const closing = new AbortController();
  const isClosing = () => closing.signal.aborted;
  /** Under way; those that wait for their next try too. */
  const running = new Map<string, Promise<void>>();
  const byHand = createWindow(runsByHand);
  let stopTimer = (): void => undefined;
  const lines = createLines(atOnce);

  function look(): void {
    stopTimer = clock.after(lookMs, look);
    const now_ms = clock.now();
    for (const schedule of collection.all()) {
      const { schedule_id, enabled, last_due_at, armed_at } = schedule;
      if (!enabled || running.has(schedule_id)) continue;
      const due_ms = lastDue(schedule, timezone(), now_ms);
      if (due_ms > Math.max(Date.parse(armed_at), Date.parse(last_due_at ?? armed_at)))
        begin(schedule_id, due_ms);
    }
    report();
  }

  function begin(scheduleId: string, due_ms: number | null): void {
    const own = run(scheduleId, due_ms).finally(() => {
      running.delete(scheduleId);
      report();
    });
    running.set(scheduleId, own);
  }

  async function run(scheduleId: string, due_ms: number | null): Promise<void> {
    const schedule = collection.get(scheduleId);
    if (schedule === undefined || isClosing()) return;
    try {
      const { stop, ...ended } = await runOf(schedule, due_ms ?? clock.now());
      if (isClosing()) return;
      const last_run: ScheduledRun = {
        ...ended,
        at: isoTime(clock.now()),
        due_at: due_ms === null ? null : isoTime(due_ms),
      };
      const about = { schedule_id: scheduleId, name: schedule.name, detail: ended.detail };
      if (ended.state === 'delivered') log.info(about, 'scheduled report was delivered');
      else log.warn(about, 'scheduled report failed');
      await collection.change(scheduleId, (old) => ({
        ...old,
        last_run,
        ...(due_ms === null ? {} : { last_due_at: isoTime(due_ms) }),
        ...(stop === true
          ? { enabled: false, disabled_reason: ended.detail, disabled_causes: ended.causes }
          : {}),
      }));
    } catch (error) {
      if (!isClosing()) log.error({ err: error, schedule_id: scheduleId }, 'scheduled report failed');
    }
  }

  /** What became of it; `stop`: it must not run again. */
  async function runOf(
    schedule: ScheduleRecord,
    due_ms: number,
  ): Promise<Pick<ScheduledRun, 'state' | 'detail' | 'causes'> & { stop?: true }> {
    const viewer = viewerFor(schedule.owner_id, schedule.token_id);
    if (viewer === null || !holds(viewer, 'reports', 'write')) {
      const code = viewer === null ? 'schedule.owner_gone' : 'schedule.not_allowed';
      return { state: 'failed', ...said(causeOf(code)), stop: true };
    }
    const period = periodBefore(schedule.every, timezone(), due_ms);
    try {
      const sent: Cause[] = [];
      let result = await attempt(schedule, period, viewer);
      sent.push(...result.sent);
      for (let tries = 1; result.left !== null && tries < maxTries; tries++) {
        await pause(clock, pauseMs, closing.signal);
        result = await attempt({ ...schedule, ...result.left }, period, viewer);
        sent.push(...result.sent);
      }
      const { faults } = result;
      return {
        state: faults.length === 0 ? 'delivered' : 'failed',
        ...said(...faults.flat(), ...sent),
      };
    } catch (error) {
      closing.signal.throwIfAborted();
      const refusal = error instanceof ApiError ? error : error instanceof WorkFailed ? ofWork(error) : null;
      if (refusal === null) throw error;
      return { state: 'failed', ...said(...causesOf(refusal)) };
    }
  }

  /** Made anew at each try: a file is not held while a mail server is away. */
  async function attempt(schedule: ScheduleRecord, period: TimeRange, viewer: Viewer): Promise<Delivered> {
    const leave = await lines.enter('all');
    try {
      closing.signal.throwIfAborted();
      const ask = { user_id: schedule.owner_id, signal: closing.signal };
      const made = await maker.make(askedOf(schedule, period), viewer, ask);
      return await deliver(made, schedule, period, closing.signal);
    } finally {
      leave();
    }
  }

  /** Those whose last run failed are trouble of the host until one succeeds, or somebody switches them off. */
  function report(): void {
    const failing = collection.all().filter((it) => it.last_run?.state === 'failed' && isWatched(it));
    const named = failing.slice(0, maxNamed).flatMap(({ name, last_run }) => {
      const { detail = '', causes = [causeOf('verbatim', { detail })] } = last_run ?? {};
      return [causeOf('health.report', { name }), ...causes];
    });
    const more = failing.length - maxNamed;
    if (more > 0) named.push(causeOf('health.more_reports', { count: more }));
    health.set('report_failing', failing.length === 0 ? null : named);
  }

  const isOwn = ({ owner_id, token_id }: ScheduleRecord, { user, token }: Viewer) =>
    owner_id === user.user_id && (token === undefined || token.token_id === token_id);
  const sees = (schedule: ScheduleRecord, viewer: Viewer) => isDealer(viewer) || isOwn(schedule, viewer);

  function find(scheduleId: string, viewer: Viewer): ScheduleRecord {
    const schedule = collection.get(scheduleId);
    if (schedule === undefined || !sees(schedule, viewer)) throw notFound('scheduled report');
    return schedule;
  }

  /** Throws 400, 403 and 404 as the report itself would, and 400 for where it may not go. */
  function check(wanted: NewReportSchedule, viewer: Viewer, before?: ScheduleRecord): void {
    const { query, email_to, folder } = wanted;
    for (const name of ['from', 'to'])
      if (query[name] !== undefined) throw invalid(`query.${name}`, 'is set by when the report is due');
    maker.check(askedOf(wanted, periodBefore(wanted.every, timezone(), clock.now())), viewer);
    if (email_to.length === 0 && folder === null)
      throw invalid('email_to', 'is needed, or a folder: the report has to go somewhere', 'missing');
    if (isDealer(viewer)) return;
    if (folder !== null && folder !== before?.folder)
      throw invalid('folder', 'is for dealers to set', 'denied');
    const known = new Set(before?.email_to.map((it) => it.toLowerCase()));
    for (const [at, target] of email_to.entries()) {
      if (!known.has(target.toLowerCase()) && !recipients.isApproved({ channel: 'email', target }))
        throw invalid(
          `email_to.${at}`,
          `${target} is not approved: a dealer has to approve it`,
          'not_approved',
        );
    }
  }

  /** Only dealers learn which folders there are. */
  async function checkFolder(folder: string | null | undefined, viewer: Viewer): Promise<void> {
    if (isDealer(viewer) && typeof folder === 'string') await deps.checkFolder(folder);
  }

  /** What a dealer names is approved by it. */
  function approve({ email_to }: NewReportSchedule, viewer: Viewer): void {
    if (!isDealer(viewer)) return;
    const targets = email_to.map((target, at) => ({
      channel: 'email' as const,
      target,
      path: `email_to.${at}`,
    }));
    recipients.approve(targets, viewer.user.user_id);
  }

  return {
    visible: (viewer: Viewer): ScheduleRecord[] => collection.all().filter((it) => sees(it, viewer)),
    find,
    nameOf: (scheduleId: string): string | null => collection.get(scheduleId)?.name ?? null,

    present(record: ScheduleRecord): ReportSchedule {
      const { token_id: _, armed_at: __, last_due_at: ___, ...shown } = record;
      const next_ms = nextDue(record, timezone(), clock.now());
      return {
        ...shown,
        running: running.has(record.schedule_id),
        next_run_at: record.enabled ? isoTime(next_ms) : null,
      };
    },

    async add(wanted: NewReportSchedule, viewer: Viewer): Promise<ScheduleRecord> {
      check(wanted, viewer);
      await checkFolder(wanted.folder, viewer);
      const [added] = await collection.act(() => {
        approve(wanted, viewer);
        return collection.staged.add([
          {
            ...wanted,
            ...{ schedule_id: randomUUID(), owner_id: viewer.user.user_id },
            ...{ token_id: viewer.token?.token_id ?? null, disabled_reason: null },
            ...{ armed_at: isoTime(clock.now()), last_due_at: null, last_run: null },
          },
        ]);
      });
      if (added === undefined) throw new Error('the scheduled report was not added');
      return added;
    },

    async patch(
      scheduleId: string,
      patch: ReportSchedulePatch,
      viewer: Viewer,
      ifMatch: number | null,
    ): Promise<ScheduleRecord> {
      find(scheduleId, viewer);
      await checkFolder(patch.folder, viewer);
      const changed = await collection.change(scheduleId, (old) => {
        checkVersion(ifMatch, old.version);
        const wanted = patched(old, patch);
        check(wanted, viewer, old);
        approve(wanted, viewer);
        return {
          ...old,
          ...wanted,
          ...(wanted.enabled ? { disabled_reason: null, disabled_causes: [] } : {}),
          // Neither what was missed while it was off nor another time of today is caught up with.
          ...(isRetimed(old, wanted) ? { armed_at: isoTime(clock.now()) } : {}),
        };
      });
      if (changed === undefined) throw notFound('scheduled report');
      report();
      return changed;
    },

    async remove(scheduleId: string, viewer: Viewer, ifMatch: number | null): Promise<void> {
      find(scheduleId, viewer);
      await collection.remove(scheduleId, (old) => checkVersion(ifMatch, old.version));
      report();
    },

    /** Throws 409 while it runs, 429 for one that was asked for too often. */
    run(scheduleId: string, viewer: Viewer): ScheduleRecord {
      const schedule = find(scheduleId, viewer);
      if (running.has(scheduleId)) throw new ApiError('in_use', causeOf('schedule.running'));
      const { allowed, retryAfterS } = byHand.count(viewer.user.user_id, clock.monotonic());
      if (!allowed)
        throw new ApiError(
          'rate_limited',
          `A user may run scheduled reports ${runsByHand.limit} times an hour. Wait ${retryAfterS} s.`,
          { headers: { 'Retry-After': String(retryAfterS) } },
        );
      begin(scheduleId, null);
      return schedule;
    },

    /** Begins to look at the clock, in a minute: a start has other things to do. */
    start(): void {
      report();
      stopTimer = clock.after(lookMs, look);
    },

    /** What is under way is run again after the next start. */
    async close(): Promise<void> {
      stopTimer();
      closing.abort(new Error('the host is shutting down'));
      await Promise.all(running.values());
    },
  };
}

const isWatched = ({ enabled, disabled_reason }: ScheduleRecord) => enabled || disabled_reason !== null;

/** A query is put in whole: that of another kind has other fields. */
function patched(before: ScheduleRecord, patch: ReportSchedulePatch): NewReportSchedule {
  const old = patch.query === undefined ? before : { ...before, query: {} };
  return applyMergePatch(newReportSchedule, old, patch);
}

const isRetimed = (old: NewReportSchedule, now: NewReportSchedule): boolean =>
  (['every', 'at', 'weekday', 'monthday', 'enabled'] as const).some((field) => old[field] !== now[field]);

function askedOf(
  { kind, format, query }: Pick<NewReportSchedule, 'kind' | 'format' | 'query'>,
  { from_ms, to_ms }: TimeRange,
): StoredQuery {
  return { kind, query: { ...query, from: isoTime(from_ms), to: isoTime(to_ms), format } };
}
