import type { Sessions } from '../auth/sessions.ts';
import { detailOf } from '../contract/causeTexts.ts';
import { shiftRoutes, type ShiftReport } from '../contract/shifts.ts';
import { createServerWords } from '../contract/texts/serverWords.ts';
import type { Api } from '../http/api.ts';
import type { Clock } from '../clock.ts';
import { ApiError, invalid, notFound, ofWork } from '../http/apiError.ts';
import { createLines } from '../http/lines.ts';
import { paginate } from '../http/pagination.ts';
import { createWindow } from '../http/rateLimit.ts';
import { hangUpOf } from '../http/requestContext.ts';
import { isDealer, knows, type Viewer } from '../http/viewer.ts';
import type { IncidentSight } from '../incidents/presentIncident.ts';
import type { Recipients } from '../notifications/channels/recipients.ts';
import { shownVehicles } from '../notifications/sight.ts';
import type { MadeReport } from '../reports/reportRoutes.ts';
import { createPdfLine } from '../reports/export/pdfLine.ts';
import type { DeliverReport } from '../reports/schedules/deliverReport.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import { wordingOf } from '../users/userRecord.ts';
import type { Users } from '../users/users.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import { WorkFailed } from '../workerChannel.ts';
import { mayBeOnDuty } from './onDuty.ts';
import type { Asked, ShiftFacts } from './shiftFacts.ts';
import type { ShiftPdfOrder } from './shiftPdf.ts';
import { reportOf, type ReportSight } from './shiftReport.ts';
import { isOffered, isOnDuty, personOf, type ShiftRecord } from './shiftRecord.ts';
import type { Shifts } from './shifts.ts';

/** Draws reports of shifts. */
export const createShiftPdfLine = () => createPdfLine<ShiftPdfOrder>(import.meta.url, 'shiftPdf.worker');

export interface ShiftRouteDeps {
  shifts: Shifts;
  users: Pick<Users, 'all' | 'get'>;
  vehicles: Pick<Vehicles, 'find' | 'visible' | 'sees'>;
  sessions: Pick<Sessions, 'get'>;
  sight: ReportSight['sight'];
  incidentSight: Pick<IncidentSight, 'sees'>;
  pdf: ReturnType<typeof createShiftPdfLine>;
  deliver: DeliverReport;
  recipients: Pick<Recipients, 'isApproved' | 'add'>;
  settings: () => { depot_name: string; timezone: string };
  clock: Pick<Clock, 'now' | 'monotonic'>;
  /** What happened since then, of some vehicles or of all. */
  gather: (userId: string, asked: Asked) => Promise<ShiftFacts>;
}

/** Each goes to ten addresses at the most. */
const mailsOfUser = { limit: 20, windowMs: 3_600_000 };

/** The newest first. */
const shiftOrder = ({ started_at, shift_id }: ShiftRecord) =>
  [String(8.64e15 - Date.parse(started_at)).padStart(17, '0'), shift_id] as const;

export function addShiftRoutes(api: Api, deps: ShiftRouteDeps): void {
  const { shifts, users, vehicles, sessions, sight, gather } = deps;
  const reportSight: ReportSight = {
    seesVehicle: (viewer, id) => vehicles.sees(viewer, id),
    seesIncident: (viewer, it) => deps.incidentSight.sees(viewer, it),
    sight,
  };

  const factsSince = (from_ms: number, viewer: Viewer): Promise<ShiftFacts> =>
    gather(viewer.user.user_id, { from_ms, ...shownVehicles(vehicles, viewer, undefined) });

  async function reportFor(shift: ShiftRecord, viewer: Viewer): Promise<ShiftReport> {
    const facts = await shifts.recorded(shift);
    // What had no record yet has ended meanwhile, or its record is gone with the shift.
    if (facts === null && !isOnDuty(shift)) throw notFound('report');
    return reportOf(facts ?? (await factsSince(Date.parse(shift.report_from), viewer)), viewer, reportSight);
  }

  api.handle(shiftRoutes.list, ({ query, viewer }) => {
    const found = shifts
      .visible(viewer)
      .filter(
        (it) => query.active === undefined || (isOnDuty(it) || isOffered(it)) === (query.active === 'true'),
      );
    return paginate(found, shiftOrder, query);
  });

  api.handle(shiftRoutes.start, ({ viewer, once }) =>
    once<ShiftRecord>(
      (stored) => shifts.begin(viewer, stored),
      (shift) => ({ reply: shift, location: `/api/v1/shifts/${shift.shift_id}` }),
    ),
  );

  api.handle(shiftRoutes.dispatchers, ({ query, viewer }) => {
    const found = users
      .all()
      .filter((it) => it.user_id !== viewer.user.user_id && mayBeOnDuty(it) && knows(viewer, it))
      .map(personOf);
    return paginate(found, (it) => [it.name.toLowerCase(), it.user_id], query);
  });

  api.handle(shiftRoutes.sinceLogin, async ({ viewer }) => {
    const since_ms = sessions.get(viewer.session_id)?.earlier_seen_ms ?? null;
    if (since_ms === null) return { since: null, report: null };
    const report = reportOf(await factsSince(since_ms, viewer), viewer, reportSight);
    return { since: isoTime(since_ms), report };
  });

  api.handle(shiftRoutes.get, ({ params, viewer }) => shifts.find(params.shift_id, viewer));
  api.handle(shiftRoutes.report, ({ params, viewer }) =>
    reportFor(shifts.find(params.shift_id, viewer), viewer),
  );

  /** @throws what `reportFor` does; 429 `queue_full` */
  async function pdfOf(shift: ShiftRecord, viewer: Viewer, tz: string | undefined, signal: AbortSignal) {
    const { depot_name, timezone } = deps.settings();
    const report = await reportFor(shift, viewer);
    const order: ShiftPdfOrder = {
      ...{ shift, report, depot_name, tz: tz ?? timezone, now_ms: deps.clock.now() },
      wording: wordingOf(users.get(viewer.user.user_id)),
    };
    try {
      const pieces = await deps.pdf.run(() => order, { user_id: viewer.user.user_id, signal });
      const name = `shift_${shift.started_at.slice(0, 10)}_${shift.shift_id.slice(0, 8)}.pdf`;
      return { report, made: { pieces, contentType: 'application/pdf', name } satisfies MadeReport };
    } catch (error) {
      throw (error instanceof WorkFailed && ofWork(error)) || error;
    }
  }

  api.handle(shiftRoutes.pdf, async ({ params, query, viewer, response, holds }) => {
    const shift = shifts.find(params.shift_id, viewer);
    const { made } = await pdfOf(shift, viewer, query.tz, hangUpOf(response));
    const bytes = Buffer.concat(made.pieces);
    holds(bytes.length);
    response.attachment(made.name).set('Content-Type', made.contentType).send(bytes);
  });

  const mails = createWindow(mailsOfUser);
  /** Each holds its file in memory. */
  const mailLine = createLines(2);

  api.handle(shiftRoutes.mail, async ({ params, body, viewer, response }) => {
    const shift = shifts.find(params.shift_id, viewer);
    for (const [at, target] of body.email_to.entries()) {
      if (deps.recipients.isApproved({ channel: 'email', target })) continue;
      // What a dealer names is approved by it.
      if (isDealer(viewer))
        await deps.recipients.add({ kind: 'email', address: target }, viewer.user.user_id);
      else
        throw invalid(
          `email_to.${at}`,
          `${target} is not approved: a dealer has to approve it`,
          'not_approved',
        );
    }
    const { allowed, retryAfterS } = mails.count(viewer.user.user_id, deps.clock.monotonic());
    if (!allowed) {
      const detail = `A user may send reports of shifts ${mailsOfUser.limit} times an hour. Wait ${retryAfterS} s.`;
      throw new ApiError('rate_limited', detail, { headers: { 'Retry-After': String(retryAfterS) } });
    }
    const signal = hangUpOf(response);
    const leave = await mailLine.enter('');
    try {
      const { made, report } = await pdfOf(shift, viewer, body.tz, signal);
      const { say } = createServerWords(wordingOf(users.get(viewer.user.user_id)));
      const schedule = {
        ...{ name: say('pdf.shift', { name: shift.name }), email_to: body.email_to, folder: null },
        owner_id: viewer.user.user_id,
      };
      const period = { from_ms: Date.parse(report.from), to_ms: Date.parse(report.to) };
      const { sent, faults, unreached } = await deps.deliver(made, schedule, period, signal);
      return {
        sent: sent.map((it) => detailOf([it])),
        failed: faults.map(detailOf),
        failed_causes: faults,
        not_reached: unreached,
      };
    } finally {
      leave();
    }
  });

  api.handle(shiftRoutes.addNote, ({ params, body, viewer, once }) =>
    once<ShiftRecord>(
      (stored) => shifts.addNote(params.shift_id, body.text, viewer, stored),
      (shift) => ({ reply: shift, location: `/api/v1/shifts/${shift.shift_id}` }),
      params.shift_id,
    ),
  );
  api.handle(shiftRoutes.handOver, ({ params, body, viewer }) =>
    shifts.handOver(params.shift_id, body.to_user_id, viewer),
  );
  api.handle(shiftRoutes.withdraw, ({ params, viewer }) => shifts.withdraw(params.shift_id, viewer));
  api.handle(shiftRoutes.accept, ({ params, viewer }) => shifts.accept(params.shift_id, viewer));
  api.handle(shiftRoutes.end, ({ params, viewer }) => shifts.end(params.shift_id, viewer));
}
