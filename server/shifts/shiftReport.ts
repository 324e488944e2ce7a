import { reportRows, type ShiftReport } from '../contract/shifts.ts';
import type { Severity } from '../contract/rules.ts';
import { holds, isDealer, type Viewer } from '../http/viewer.ts';
import type { Sight } from '../notifications/sight.ts';
import type { IncidentSight } from '../incidents/presentIncident.ts';
import type { NotificationFact } from '../store/telemetry/shiftsTable.ts';
import { isoTime } from '../telemetry/presentPosition.ts';
import type { ShiftFacts } from './shiftFacts.ts';

export interface ReportSight {
  seesVehicle: (viewer: Viewer, vehicleId: string | null) => boolean;
  sight: Pick<Sight, 'of'>;
  seesIncident: IncidentSight['sees'];
}

const rank: Record<Severity, number> = { alarm: 0, warning: 1, info: 2 };

/** The report that these facts make, as far as the viewer may see them. */
export function reportOf(
  facts: ShiftFacts,
  viewer: Viewer,
  { seesVehicle, sight, seesIncident }: ReportSight,
): ShiftReport {
  const { from_ms, to_ms, names } = facts;
  const vehicleName = (id: string | null) => (id === null ? null : (names.vehicles[id] ?? null));
  const personBy = (user_id: string, name = names.users[user_id] ?? '') => ({ user_id, name });
  const isSeen = ({ vehicle_id }: { vehicle_id: string | null }) => seesVehicle(viewer, vehicle_id);

  const seen = facts.notifications.filter(isSeen);
  const cameIn = seen.filter((it) => it.first_ms >= from_ms && it.first_ms <= to_ms);
  const acked = seen.filter((it) => it.ack_ms !== null && it.ack_ms >= from_ms && it.ack_ms <= to_ms);
  const open = seen
    .filter((it) => it.state === 'open')
    .sort((a, b) => rank[a.severity] - rank[b.severity] || a.first_ms - b.first_ms);
  const incidents = facts.incidents.filter((it) => seesIncident(viewer, it));
  const tasks = holds(viewer, 'video', 'read') ? facts.tasks.filter(isSeen) : null;
  const silent = holds(viewer, 'vehicles', 'read') ? facts.silent.filter(isSeen) : null;
  const troubles = isDealer(viewer) ? facts.troubles : null;

  return {
    from: isoTime(from_ms),
    to: isoTime(to_ms),
    is_cut: facts.is_cut,
    notifications: {
      total: cameIn.length,
      by_severity: bySeverity(cameIn),
      by_rule: grouped(cameIn, (it) => `${it.rule_id} ${it.rule_name} ${it.severity}`)
        .slice(0, reportRows)
        .map((rows) => {
          const { rule_id, rule_name, severity } = sight.of(rows[0], viewer);
          return { rule_id, rule_name, severity, count: rows.length };
        }),
    },
    acknowledgements: {
      total: acked.length,
      median_s: medianS(acked),
      by_user: grouped(acked, (it) => it.ack_by ?? '').map((rows) => ({
        ...personBy(rows[0].ack_by ?? ''),
        ...{ count: rows.length, median_s: medianS(rows) },
      })),
    },
    open: {
      total: open.length,
      by_severity: bySeverity(open),
      items: open
        .filter((it) => it.severity !== 'info')
        .slice(0, reportRows)
        .map((it) => {
          const { notification_id, rule_name, event_kind, vehicle_id, severity, count } = it;
          return {
            ...{ notification_id, rule_id: sight.of(it, viewer).rule_id, rule_name, event_kind, vehicle_id },
            ...{ vehicle_name: vehicleName(vehicle_id), severity, count },
            ...{ first_time: isoTime(it.first_ms), last_time: isoTime(it.last_ms) },
          };
        }),
    },
    incidents: {
      total: incidents.length,
      not_closed: incidents.filter((it) => it.status !== 'closed').length,
      items: incidents.slice(0, reportRows).map(({ created_ms, closed_ms, created_by: _, ...it }) => ({
        ...it,
        vehicle_name: vehicleName(it.vehicle_id),
        created_at: isoTime(created_ms),
        closed_at: closed_ms === null ? null : isoTime(closed_ms),
      })),
    },
    clips: tasks && {
      total: tasks.length,
      items: tasks.slice(0, reportRows).map((it) => ({
        ...{ task_id: it.task_id, vehicle_id: it.vehicle_id, vehicle_name: vehicleName(it.vehicle_id) },
        ...{ channel: it.channel, from: isoTime(it.from_ms), to: isoTime(it.to_ms), status: it.status },
        ordered_by: it.rule_id === null ? personBy(it.created_by) : null,
        ordered_at: isoTime(it.created_ms),
      })),
    },
    silent_vehicles: silent && {
      total: silent.length,
      items: silent.slice(0, reportRows).map(({ vehicle_id, status, since_ms }) => ({
        ...{ vehicle_id, vehicle_name: vehicleName(vehicle_id), status, since: isoTime(since_ms) },
      })),
    },
    troubles: troubles && {
      total: troubles.length,
      items: troubles.slice(0, reportRows).map(({ event_id, cause, began_ms, ended_ms }) => ({
        ...{ event_id, cause, began_at: isoTime(began_ms) },
        ended_at: ended_ms === null ? null : isoTime(ended_ms),
      })),
    },
    changes: isDealer(viewer)
      ? facts.changes.map(({ actor, actor_name, ...change }) => ({
          ...personBy(actor, actor_name),
          ...change,
        }))
      : null,
  };
}

function bySeverity(rows: readonly NotificationFact[]): Record<Severity, number> {
  const counts = { alarm: 0, warning: 0, info: 0 };
  for (const { severity } of rows) counts[severity] += 1;
  return counts;
}

/** Those that are alike together, the largest group first. */
function grouped(
  rows: readonly NotificationFact[],
  keyOf: (row: NotificationFact) => string,
): [NotificationFact, ...NotificationFact[]][] {
  const groups = new Map<string, [NotificationFact, ...NotificationFact[]]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return [...groups.values()].sort((a, b) => b.length - a.length);
}

/** From the event to the acknowledgement; what a vehicle sent late could not be acknowledged sooner. */
function medianS(rows: readonly NotificationFact[]): number | null {
  const spans = rows
    .flatMap(({ late, ack_ms, first_ms }) =>
      late || ack_ms === null ? [] : [Math.max(0, ack_ms - first_ms)],
    )
    .sort((a, b) => a - b);
  const middle = spans.length / 2;
  const [low, high] = [spans[Math.ceil(middle) - 1], spans[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : Math.round((low + high) / 2_000);
}
