import type { Shift, ShiftReport } from '../contract/shifts.ts';
import { durationText } from '../reports/export/cells.ts';
import { pdfDocument } from '../reports/export/pdfDocument.ts';
import { drawNotes, drawSection, words, type PdfSection } from '../reports/export/pdfSections.ts';
import { wallClock } from '../reports/localDays.ts';

/** A shift and its report, to be printed. */
export interface ShiftPdfOrder {
  shift: Pick<Shift, 'name' | 'started_at' | 'ended_at' | 'end_reason' | 'handover' | 'notes'>;
  report: ShiftReport;
  depot_name: string;
  tz: string;
  now_ms: number;
}

/** Some thirty pages of text. */
const maxBytes = 16 * 1024 * 1024;

const endReasons: Readonly<Record<NonNullable<Shift['end_reason']>, string>> = {
  ended: 'without a handover',
  handed_over: 'handed over',
  forgotten: 'by the server after 16 hours',
  access_lost: 'no longer allowed to be on duty',
};

/** @throws ExportTooLarge */
export async function shiftPdf(order: ShiftPdfOrder): Promise<Uint8Array[]> {
  const { shift, report, tz, now_ms, depot_name } = order;
  const clockAt = wallClock(tz);
  const minute = (time: string | null) => (time === null ? '' : clockAt(Date.parse(time)).slice(0, 16));
  const head = {
    title: `Shift of ${shift.name}`,
    period: `${depot_name}, ${minute(report.from)} to ${minute(report.to)}, ${tz}`,
    facts: factsOf(order, minute),
    ...{ tz, now_ms, words },
  };
  return pdfDocument(head, maxBytes, (pages) => {
    const notes = shift.notes.map(({ name, at, text }) => ({ head: `${name}, ${minute(at)}`, text }));
    drawNotes(pages, 'Notes for the next shift', notes);
    for (const section of sectionsOf(report)) drawSection(pages, section, tz);
  });
}

function factsOf(
  { shift, report }: ShiftPdfOrder,
  minute: (time: string | null) => string,
): (readonly [string, string])[] {
  const { handover, end_reason } = shift;
  const severities = (
    { alarm, warning, info }: Record<'alarm' | 'warning' | 'info', number>,
    total: number,
  ) => `${total} (${alarm}, ${warning}, ${info})`;
  const ended = end_reason === null ? 'on duty' : `${minute(shift.ended_at)}, ${endReasons[end_reason]}`;
  const { median_s } = report.acknowledgements;
  return [
    ['Started', minute(shift.started_at)],
    ['Ended', ended],
    ['Handed over to', handover === null ? '' : (handover.to?.name ?? 'whoever comes')],
    [
      'Accepted by',
      handover?.accepted_by == null ? '' : `${handover.accepted_by.name}, ${minute(handover.accepted_at)}`,
    ],
    [
      'Notifications (alarm, warning, info)',
      severities(report.notifications.by_severity, report.notifications.total),
    ],
    ['Open (alarm, warning, info)', severities(report.open.by_severity, report.open.total)],
    ['Incidents (not closed)', `${report.incidents.total} (${report.incidents.not_closed})`],
    ['Acknowledged', String(report.acknowledgements.total)],
    ['Median time to acknowledge', median_s === null ? '' : durationText(median_s)],
    ['Counted', report.is_cut ? 'the newest of 7 days' : 'all'],
  ];
}

function sectionsOf(report: ShiftReport): PdfSection[] {
  const { open, incidents, notifications, acknowledgements, silent_vehicles, clips, troubles, changes } =
    report;
  const ms = (time: string | null) => (time === null ? null : Date.parse(time));
  const sections: (PdfSection | null)[] = [
    {
      title: 'Open alarms',
      total: open.by_severity.alarm + open.by_severity.warning,
      columns: [
        ['Severity', 'text'],
        ['Vehicle', 'text'],
        ['Rule', 'text'],
        ['Count', 'count'],
        ['First', 'time'],
        ['Last', 'time'],
      ],
      rows: open.items.map((it) => [
        ...[it.severity, it.vehicle_name, it.rule_name],
        ...[it.count, ms(it.first_time), ms(it.last_time)],
      ]),
    },
    {
      title: 'Incidents',
      total: incidents.total,
      columns: [
        ['Number', 'count'],
        ['Severity', 'text'],
        ['Title', 'text'],
        ['Vehicle', 'text'],
        ['Status', 'text'],
        ['Handled by', 'text'],
        ['Opened', 'time'],
        ['Closed', 'time'],
      ],
      rows: incidents.items.map((it) => [
        ...[it.number, it.severity, it.title, it.vehicle_name],
        it.close_reason === null ? it.status.replaceAll('_', ' ') : `closed: ${it.close_reason}`,
        ...[it.owner_name ?? 'nobody', ms(it.created_at), ms(it.closed_at)],
      ]),
    },
    {
      title: 'Notifications by rule',
      total: notifications.by_rule.length,
      columns: [
        ['Rule', 'text'],
        ['Severity', 'text'],
        ['Count', 'count'],
      ],
      rows: notifications.by_rule.map((it) => [it.rule_name, it.severity, it.count]),
    },
    {
      title: 'Acknowledgements by person',
      total: acknowledgements.by_user.length,
      columns: [
        ['Person', 'text'],
        ['Count', 'count'],
        ['Median time', 'duration'],
      ],
      rows: acknowledgements.by_user.map((it) => [it.name, it.count, it.median_s]),
    },
    silent_vehicles && {
      title: 'Vehicles without contact',
      total: silent_vehicles.total,
      columns: [
        ['Vehicle', 'text'],
        ['Status', 'text'],
        ['Last contact', 'time'],
      ],
      rows: silent_vehicles.items.map((it) => [it.vehicle_name, it.status, ms(it.since)]),
    },
    clips && {
      title: 'Clips requested',
      total: clips.total,
      columns: [
        ['Vehicle', 'text'],
        ['Camera', 'count'],
        ['Recorded', 'time'],
        ['Status', 'text'],
        ['Requested by', 'text'],
        ['Requested', 'time'],
      ],
      rows: clips.items.map((it) => [
        ...[it.vehicle_name, it.channel, ms(it.from)],
        ...[it.status, it.ordered_by?.name ?? 'a rule', ms(it.ordered_at)],
      ]),
    },
    troubles && {
      title: 'Server problems',
      total: troubles.total,
      columns: [
        ['Problem', 'text'],
        ['Since', 'time'],
        ['Ended', 'time'],
      ],
      rows: troubles.items.map((it) => [it.cause.replaceAll('_', ' '), ms(it.began_at), ms(it.ended_at)]),
    },
    changes && {
      title: 'Changes by person',
      total: changes.length,
      columns: [
        ['Person', 'text'],
        ['Type', 'text'],
        ['Action', 'text'],
        ['Count', 'count'],
      ],
      rows: changes.map((it) => [it.name, it.kind.replaceAll('_', ' '), it.action, it.count]),
    },
  ];
  return sections.filter((it) => it !== null);
}
