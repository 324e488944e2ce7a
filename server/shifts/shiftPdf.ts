import type { Shift, ShiftReport } from '../contract/shifts.ts';
import { createServerWords, type ServerWords, type Wording } from '../contract/texts/serverWords.ts';
import { durationText } from '../reports/export/cells.ts';
import { pdfDocument } from '../reports/export/pdfDocument.ts';
import { drawNotes, drawSection, type PdfSection } from '../reports/export/pdfSections.ts';
import { wallClock } from '../reports/localDays.ts';

/** A shift and its report, to be printed. */
export interface ShiftPdfOrder {
  shift: Pick<Shift, 'name' | 'started_at' | 'ended_at' | 'end_reason' | 'handover' | 'notes'>;
  report: ShiftReport;
  wording: Wording;
  depot_name: string;
  tz: string;
  now_ms: number;
}

/** Some thirty pages of text. */
const maxBytes = 16 * 1024 * 1024;

/** @throws ExportTooLarge */
export async function shiftPdf(order: ShiftPdfOrder): Promise<Uint8Array[]> {
  const { shift, report, tz, now_ms, depot_name } = order;
  const words = createServerWords(order.wording);
  const { say, clock } = words;
  const clockAt = wallClock(tz);
  const minute = (time: string | null) =>
    time === null ? '' : clock(clockAt(Date.parse(time)).slice(0, 16));
  const span = { from: minute(report.from), to: minute(report.to), zone: tz };
  const head = {
    title: say('pdf.shift', { name: shift.name }),
    period: `${depot_name}, ${say('file.period_in_zone', span)}`,
    facts: factsOf(order, words, minute),
    ...{ tz, now_ms, words },
  };
  return pdfDocument(head, maxBytes, (pages) => {
    const notes = shift.notes.map(({ name, at, text }) => ({ head: `${name}, ${minute(at)}`, text }));
    drawNotes(pages, say('pdf.shift_notes'), notes, words);
    for (const section of sectionsOf(report, words)) drawSection(pages, section, tz, words);
  });
}

function factsOf(
  { shift, report }: ShiftPdfOrder,
  { say }: ServerWords,
  minute: (time: string | null) => string,
): (readonly [string, string])[] {
  const { handover, end_reason } = shift;
  const severities = (
    { alarm, warning, info }: Record<'alarm' | 'warning' | 'info', number>,
    total: number,
  ) => `${total} (${alarm}, ${warning}, ${info})`;
  const { median_s } = report.acknowledgements;
  return [
    [say('reports.column.start_time'), minute(shift.started_at)],
    [say('reports.column.end_time'), end_reason === null ? say('pdf.on_duty') : minute(shift.ended_at)],
    [say('pdf.end_reason'), end_reason === null ? '' : say(`pdf.end_reason.${end_reason}`)],
    [
      say('pdf.handed_over_to'),
      handover === null ? '' : (handover.to?.name ?? say('pdf.handed_over_to.whoever')),
    ],
    [
      say('pdf.accepted_by'),
      handover?.accepted_by == null ? '' : `${handover.accepted_by.name}, ${minute(handover.accepted_at)}`,
    ],
    [say('pdf.notifications'), severities(report.notifications.by_severity, report.notifications.total)],
    [say('pdf.open'), severities(report.open.by_severity, report.open.total)],
    [say('pdf.incidents_not_closed'), `${report.incidents.total} (${report.incidents.not_closed})`],
    [say('pdf.acknowledged'), String(report.acknowledgements.total)],
    [say('pdf.median_to_acknowledge'), median_s === null ? '' : durationText(median_s)],
    [say('pdf.counted'), say(report.is_cut ? 'pdf.counted.newest' : 'pdf.counted.all')],
  ];
}

function sectionsOf(report: ShiftReport, { say, code }: ServerWords): PdfSection[] {
  const { open, incidents, notifications, acknowledgements, silent_vehicles, clips, troubles, changes } =
    report;
  const ms = (time: string | null) => (time === null ? null : Date.parse(time));
  const sections: (PdfSection | null)[] = [
    {
      title: say('pdf.open_alarms'),
      total: open.by_severity.alarm + open.by_severity.warning,
      columns: [
        [say('reports.column.severity'), 'text'],
        [say('reports.column.vehicle_id'), 'text'],
        [say('reports.column.rule_id'), 'text'],
        [say('pdf.count'), 'count'],
        [say('pdf.first'), 'time'],
        [say('pdf.last'), 'time'],
      ],
      rows: open.items.map((it) => [
        ...[code('severity', it.severity), it.vehicle_name, it.rule_name],
        ...[it.count, ms(it.first_time), ms(it.last_time)],
      ]),
    },
    {
      title: say('pdf.incidents'),
      total: incidents.total,
      columns: [
        [say('pdf.number'), 'count'],
        [say('reports.column.severity'), 'text'],
        [say('pdf.title'), 'text'],
        [say('reports.column.vehicle_id'), 'text'],
        [say('reports.column.status'), 'text'],
        [say('pdf.owner'), 'text'],
        [say('pdf.opened_at'), 'time'],
        [say('pdf.closed_at'), 'time'],
      ],
      rows: incidents.items.map((it) => [
        ...[it.number, code('severity', it.severity), it.title, it.vehicle_name],
        it.close_reason === null
          ? say(`pdf.incident_status.${it.status}`)
          : say('pdf.closed', { reason: it.close_reason }),
        ...[it.owner_name ?? say('pdf.nobody'), ms(it.created_at), ms(it.closed_at)],
      ]),
    },
    {
      title: say('pdf.rules'),
      total: notifications.by_rule.length,
      columns: [
        [say('reports.column.rule_id'), 'text'],
        [say('reports.column.severity'), 'text'],
        [say('pdf.count'), 'count'],
      ],
      rows: notifications.by_rule.map((it) => [it.rule_name, code('severity', it.severity), it.count]),
    },
    {
      title: say('pdf.acknowledged_by'),
      total: acknowledgements.by_user.length,
      columns: [
        [say('pdf.person'), 'text'],
        [say('pdf.count'), 'count'],
        [say('pdf.median'), 'duration'],
      ],
      rows: acknowledgements.by_user.map((it) => [it.name, it.count, it.median_s]),
    },
    silent_vehicles && {
      title: say('pdf.silent'),
      total: silent_vehicles.total,
      columns: [
        [say('reports.column.vehicle_id'), 'text'],
        [say('reports.column.status'), 'text'],
        [say('pdf.last_contact'), 'time'],
      ],
      rows: silent_vehicles.items.map((it) => [
        it.vehicle_name,
        say(`pdf.vehicle_status.${it.status}`),
        ms(it.since),
      ]),
    },
    clips && {
      title: say('pdf.clips_requested'),
      total: clips.total,
      columns: [
        [say('reports.column.vehicle_id'), 'text'],
        [say('pdf.camera'), 'count'],
        [say('pdf.recording'), 'time'],
        [say('reports.column.status'), 'text'],
        [say('reports.column.created_by'), 'text'],
        [say('reports.column.requested_at'), 'time'],
      ],
      rows: clips.items.map((it) => [
        ...[it.vehicle_name, it.channel, ms(it.from)],
        ...[code('status', it.status), it.ordered_by?.name ?? say('reports.column.rule_id')],
        ms(it.ordered_at),
      ]),
    },
    troubles && {
      title: say('pdf.troubles'),
      total: troubles.total,
      columns: [
        [say('pdf.problem'), 'text'],
        [say('pdf.since'), 'time'],
        [say('reports.column.end_time'), 'time'],
      ],
      rows: troubles.items.map((it) => [say(`line.trouble.${it.cause}`), ms(it.began_at), ms(it.ended_at)]),
    },
    changes && {
      title: say('pdf.changes'),
      total: changes.length,
      columns: [
        [say('pdf.person'), 'text'],
        [say('pdf.type'), 'text'],
        [say('pdf.action'), 'text'],
        [say('pdf.count'), 'count'],
      ],
      rows: changes.map((it) => [
        it.name,
        say(`pdf.audit_kind.${it.kind}`),
        say(`pdf.audit_action.${it.action}`),
        it.count,
      ]),
    },
  ];
  return sections.filter((it) => it !== null);
}
