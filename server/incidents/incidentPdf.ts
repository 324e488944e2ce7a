import type { Incident, IncidentAction, IncidentEntry, IncidentStatus } from '../contract/incidents.ts';
import { createTileReader } from '../maps/readTiles.ts';
import type { Maps } from '../maps/maps.ts';
import { pdfDocument, type PdfPages } from '../reports/export/pdfDocument.ts';
import { ink } from '../reports/export/pdfInk.ts';
import { drawMap, type TrackPoint } from '../reports/export/pdfMap.ts';
import { drawNotes, drawSection, words, type PdfSection } from '../reports/export/pdfSections.ts';
import { wallClock } from '../reports/localDays.ts';
import type { TaskStatus } from '../contract/video.ts';

/** An incident as its reader sees it, to be printed. */
export interface IncidentPdfOrder {
  incident: Incident;
  /** All of its timeline that the reader sees, oldest first. */
  entries: readonly IncidentEntry[];
  /** Null: of none, or hidden. */
  vehicle: { name: string; plate: string | null; terminal_id: string } | null;
  alarms: readonly {
    severity: string;
    rule_name: string;
    vehicle_name: string;
    what: string;
    count: number;
    first_ms: number;
    acknowledged: { name: string; at_ms: number } | null;
  }[];
  clips: readonly {
    vehicle_name: string;
    channel: number;
    from_ms: number;
    to_ms: number;
    status: TaskStatus;
    sha256: string | null;
  }[];
  /** Null: the reader may not see where vehicles were; with no positions there is the place of the incident. */
  track: readonly TrackPoint[] | null;
  /** Two positions further apart in time are joined by a dashed line. */
  gap_ms: number;
  maps: ReturnType<Maps['streetFiles']>;
  depot_name: string;
  tz: string;
  now_ms: number;
}

/** Some sixty pages of text and a map. */
const maxBytes = 16 * 1024 * 1024;
const mapHeight = 260;

const statuses: Readonly<Record<IncidentStatus, string>> = {
  open: 'Open',
  in_progress: 'In progress',
  waiting: 'Waiting',
  closed: 'Closed',
};

const openers: Readonly<Record<Incident['opened_by'], string>> = {
  user: 'a person',
  rule: 'a rule',
  sos: 'an SOS',
};

/** Null: stands in another part of the document. */
const actions: Readonly<Record<IncidentAction, ((entry: IncidentEntry) => string) | null>> = {
  created: () => 'Opened',
  alarm_added: ({ text }) => `Alarm attached: ${text ?? ''}`,
  alarm_removed: ({ text }) => `Alarm detached: ${text ?? ''}`,
  alarm_acknowledged: () => 'Alarm acknowledged',
  assigned: ({ to }) => (to === null ? 'Owner removed' : `Assigned to ${to}`),
  status_changed: ({ to }) => `Status: ${statuses[to as IncidentStatus]}`,
  renamed: ({ to }) => `Title: ${to ?? ''}`,
  severity_changed: ({ from, to }) => `Severity: ${from ?? ''} to ${to ?? ''}`,
  note_added: null,
  item_ticked: ({ text }) => `Done: ${text ?? ''}`,
  item_cleared: ({ text }) => `Not done after all: ${text ?? ''}`,
  clip_added: () => 'Clip attached',
  clip_removed: () => 'Clip detached',
  clip_done: () => 'Clip fetched',
  clip_failed: () => 'Clip could not be fetched',
  closed: ({ to }) => `Closed: ${to ?? ''}`,
  reopened: () => 'Opened again',
};

/** @throws ExportTooLarge */
export async function incidentPdf(order: IncidentPdfOrder): Promise<Uint8Array[]> {
  const { incident, entries, tz, now_ms, depot_name } = order;
  const clockAt = wallClock(tz);
  const second = (time: string | null) => (time === null ? '' : clockAt(Date.parse(time)));
  const head = {
    title: `Incident #${incident.number}: ${incident.title}`,
    period: [depot_name, incident.place, second(incident.time), tz].filter(Boolean).join(', '),
    facts: factsOf(order, second),
    ...{ tz, now_ms, words },
  };
  const notes = entries
    .filter((it) => it.action === 'note_added')
    .map(({ user, time, text }) => ({
      head: `${user?.name ?? 'Server'}, ${second(time)}`,
      text: text ?? '',
    }));
  return pdfDocument(head, maxBytes, async (pages) => {
    await drawPlace(pages, order);
    drawNotes(pages, 'Notes', notes);
    for (const section of sectionsOf(order)) drawSection(pages, section, tz);
  });
}

function factsOf(
  { incident, vehicle }: IncidentPdfOrder,
  second: (time: string | null) => string,
): (readonly [string, string])[] {
  const { status, close_reason, driver, lat, lon } = incident;
  return [
    ['Status', close_reason === null ? statuses[status] : `${statuses[status]}: ${close_reason}`],
    ['Severity', incident.severity],
    ['Handled by', incident.owner_name ?? 'nobody'],
    ['Opened', second(incident.created_at)],
    ['Opened by', openers[incident.opened_by]],
    ['Closed', second(incident.closed_at)],
    ['Vehicle', vehicle === null ? '' : [vehicle.name, vehicle.plate].filter(Boolean).join(', ')],
    ['Terminal', vehicle?.terminal_id ?? ''],
    ['Driver', driver === null ? '' : [driver.name, driver.phone].filter(Boolean).join(', ')],
    ['Coordinates', lat === null || lon === null ? '' : `${lat.toFixed(6)}, ${lon.toFixed(6)}`],
    ['Track from', second(incident.from)],
    ['Track to', second(incident.to)],
  ];
}

/** The track around the incident, or its place alone, on the street maps of the depot. */
async function drawPlace(pages: PdfPages, { incident, track, gap_ms, maps }: IncidentPdfOrder) {
  const { lat, lon, time } = incident;
  const place = lat === null || lon === null ? [] : [{ lat, lon, time_ms: Date.parse(time) }];
  const points = track === null || track.length === 0 ? place : track;
  if (points.length === 0) return;
  const { x, y, width } = pages.box();
  const tiles = createTileReader(maps, () => undefined);
  try {
    const box = { x, y, width, height: mapHeight };
    await drawMap(pages.doc, pages.text, box, points, tiles.features, gap_ms, words);
  } finally {
    await tiles.close();
  }
  const licences = [...new Set(maps.map((it) => it.licence).filter((it) => it !== ''))].join(' · ');
  if (licences === '') {
    pages.moveTo(y + mapHeight + 12);
    return;
  }
  const line = { size: 6.5, colour: ink.soft, x, width, baseline: y + mapHeight + 9 } as const;
  pages.text.line(words.say('file.maps_of', { licences }), line);
  pages.moveTo(y + mapHeight + 22);
}

function sectionsOf({ incident, entries, alarms, clips }: IncidentPdfOrder): PdfSection[] {
  const { checklist } = incident;
  const did = entries.filter((it) => actions[it.action] !== null);
  return [
    {
      title: 'Checklist',
      total: checklist.length,
      columns: [
        ['Item', 'text'],
        ['Done by', 'text'],
        ['At', 'time'],
      ],
      rows: checklist.map(({ text, done }) => [
        text,
        done?.user_name ?? 'not done',
        done === null ? null : Date.parse(done.at),
      ]),
    },
    {
      title: 'Alarms',
      total: alarms.length,
      columns: [
        ['Severity', 'text'],
        ['Vehicle', 'text'],
        ['Rule', 'text'],
        ['What happened', 'text'],
        ['Count', 'count'],
        ['First', 'time'],
        ['Acknowledged by', 'text'],
        ['Acknowledged', 'time'],
      ],
      rows: alarms.map((it) => [
        ...[it.severity, it.vehicle_name, it.rule_name, it.what, it.count, it.first_ms],
        ...[it.acknowledged?.name ?? null, it.acknowledged?.at_ms ?? null],
      ]),
    },
    {
      title: 'Clips',
      total: clips.length,
      columns: [
        ['Vehicle', 'text'],
        ['Camera', 'count'],
        ['From', 'time'],
        ['To', 'time'],
        ['Status', 'text'],
        ['SHA-256', 'text'],
      ],
      rows: clips.map((it) => [it.vehicle_name, it.channel, it.from_ms, it.to_ms, it.status, it.sha256]),
    },
    {
      title: 'Timeline',
      total: did.length,
      columns: [
        ['Time', 'time'],
        ['Person', 'text'],
        ['What was done', 'text'],
      ],
      rows: did.map((it) => [Date.parse(it.time), it.user?.name ?? 'Server', actions[it.action]?.(it) ?? '']),
    },
  ];
}
