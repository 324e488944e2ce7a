import type { Shift, ShiftReport } from '../contract/shifts.ts';
import type { Cell, CellKind } from '../reports/export/cells.ts';
import { durationText } from '../reports/export/cells.ts';
import { pdfDocument, type PdfPages } from '../reports/export/pdfDocument.ts';
import { ink } from '../reports/export/pdfInk.ts';
import { drawTable } from '../reports/export/pdfTable.ts';
import { createServerWords } from '../contract/texts/serverWords.ts';
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
const noteLines = 40;
const words = createServerWords({});

const endReasons: Readonly<Record<NonNullable<Shift['end_reason']>, string>> = {
  ended: 'without a handover',
  handed_over: 'handed over',
  forgotten: 'by the server after 16 hours',
  access_lost: 'no longer allowed to be on duty',
};

interface Section {
  title: string;
  /** How many there are; more than rows are said. */
  total: number;
  columns: readonly (readonly [label: string, kind: CellKind])[];
  rows: readonly (readonly Cell[])[];
}

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
    drawNotes(pages, shift.notes, minute);
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
    ['Acknowledged', String(report.acknowledgements.total)],
    ['Median time to acknowledge', median_s === null ? '' : durationText(median_s)],
    ['Counted', report.is_cut ? 'the newest of 7 days' : 'all'],
  ];
}

function sectionsOf(report: ShiftReport): Section[] {
  const { open, notifications, acknowledgements, silent_vehicles, clips, troubles, changes } = report;
  const ms = (time: string | null) => (time === null ? null : Date.parse(time));
  const sections: (Section | null)[] = [
    {
      title: 'Open alarms',
      total: open.total,
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

/** The title of a part, with room for a line of it on the same page. */
function drawTitle({ box, next, text, moveTo }: PdfPages, title: string): void {
  const { x, y, width } = box().height < 64 ? next() : box();
  text.line(title, { size: 11, weight: 600, x, baseline: y + 12, width });
  moveTo(y + 20);
}

function drawNotes(pages: PdfPages, notes: Shift['notes'], minute: (time: string | null) => string): void {
  const { text } = pages;
  drawTitle(pages, 'Notes for the next shift');
  if (notes.length === 0) drawLine(pages, 'None.');
  for (const note of notes) {
    drawLine(pages, `${note.name}, ${minute(note.at)}`, ink.soft);
    for (const line of note.text.split('\n')) {
      const style = { size: 8.5, weight: 400 } as const;
      for (const part of text.wrap(line, style, pages.box().width, noteLines)) drawLine(pages, part);
    }
    pages.moveTo(pages.box().y + 4);
  }
  pages.moveTo(pages.box().y + 8);
}

function drawLine({ box, next, text, moveTo }: PdfPages, line: string, colour: string = ink.text): void {
  const { x, y, width } = box().height < 12 ? next() : box();
  text.line(line, { size: 8.5, colour, x, baseline: y + 9, width });
  moveTo(y + 12);
}

function drawSection(pages: PdfPages, { title, total, columns, rows }: Section, tz: string): void {
  drawTitle(pages, total > rows.length ? `${title}, ${rows.length} of ${total}` : title);
  if (rows.length === 0) drawLine(pages, 'None.');
  else {
    const shape = { columns: columns.map(([label, kind]) => ({ label, kind })), tz, words };
    pages.moveTo(drawTable(pages.doc, pages.text, pages, shape, rows, null));
  }
  pages.moveTo(pages.box().y + 12);
}
