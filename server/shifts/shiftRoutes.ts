import type { Sessions } from '../auth/sessions.ts';
import { shiftRoutes, type ShiftReport } from '../contract/shifts.ts';
import type { Api } from '../http/api.ts';
import { notFound } from '../http/apiError.ts';
import { paginate } from '../http/pagination.ts';
import type { Viewer } from '../http/viewer.ts';
import { shownVehicles } from '../notifications/sight.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import type { Users } from '../users/users.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import { mayBeOnDuty } from './onDuty.ts';
import type { Asked, ShiftFacts } from './shiftFacts.ts';
import { reportOf, type ReportSight } from './shiftReport.ts';
import { isOffered, isOnDuty, personOf, type ShiftRecord } from './shiftRecord.ts';
import { knows, type Shifts } from './shifts.ts';

export interface ShiftRouteDeps {
  shifts: Shifts;
  users: Pick<Users, 'all'>;
  vehicles: Pick<Vehicles, 'find' | 'visible' | 'sees'>;
  sessions: Pick<Sessions, 'get'>;
  sight: ReportSight['sight'];
  /** What happened since then, of some vehicles or of all. */
  gather: (userId: string, asked: Asked) => Promise<ShiftFacts>;
}

/** The newest first. */
const shiftOrder = ({ started_at, shift_id }: ShiftRecord) =>
  [String(8.64e15 - Date.parse(started_at)).padStart(17, '0'), shift_id] as const;

export function addShiftRoutes(api: Api, deps: ShiftRouteDeps): void {
  const { shifts, users, vehicles, sessions, sight, gather } = deps;
  const reportSight: ReportSight = { seesVehicle: (viewer, id) => vehicles.sees(viewer, id), sight };

  const factsSince = (from_ms: number, viewer: Viewer): Promise<ShiftFacts> =>
    gather(viewer.user.user_id, { from_ms, ...shownVehicles(vehicles, viewer, undefined) });

  async function reportFor(shiftId: string, viewer: Viewer): Promise<ShiftReport> {
    const shift = shifts.find(shiftId, viewer);
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
  api.handle(shiftRoutes.report, ({ params, viewer }) => reportFor(params.shift_id, viewer));

  api.handle(shiftRoutes.addNote, ({ params, body, viewer }) =>
    shifts.addNote(params.shift_id, body.text, viewer),
  );
  api.handle(shiftRoutes.handOver, ({ params, body, viewer }) =>
    shifts.handOver(params.shift_id, body.to_user_id, viewer),
  );
  api.handle(shiftRoutes.withdraw, ({ params, viewer }) => shifts.withdraw(params.shift_id, viewer));
  api.handle(shiftRoutes.accept, ({ params, viewer }) => shifts.accept(params.shift_id, viewer));
  api.handle(shiftRoutes.end, ({ params, viewer }) => shifts.end(params.shift_id, viewer));
}
