import { readFile } from 'node:fs/promises';
import type {
  Incident,
  IncidentAction,
  IncidentEntry,
  IncidentSnapshot,
  IncidentStatus,
} from '../contract/incidents.ts';
import { incidentBounds } from '../contract/quotas.ts';
import { createServerWords, type ServerWords, type Wording } from '../contract/texts/serverWords.ts';
import { createTileReader } from '../maps/readTiles.ts';
import type { Maps } from '../maps/maps.ts';
import { pdfDocument, type PdfPages } from '../reports/export/pdfDocument.ts';
import { ink } from '../reports/export/pdfInk.ts';
import { drawMap, type TrackPoint } from '../reports/export/pdfMap.ts';
import {
  drawNotes,
  drawPictures,
  drawSection,
  type PdfPicture,
  type PdfSection,
} from '../reports/export/pdfSections.ts';
import { wallClock } from '../reports/localDays.ts';
import { errorCode } from '../store/documents/Files.ts';
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
  /** Oldest first. */
  snapshots: readonly (Pick<IncidentSnapshot, 'kind' | 'time' | 'channel' | 'note'> & {
    vehicle_name: string;
    path: string;
  })[];
  /** Null: the reader may not see where vehicles were; with no positions there is the place of the incident. */
  track: readonly TrackPoint[] | null;
  /** Two positions further apart in time are joined by a dashed line. */
  gap_ms: number;
  maps: ReturnType<Maps['streetFiles']>;
  wording: Wording;
  depot_name: string;
  tz: string;
  now_ms: number;
}

/** Some sixty pages of text and a map, and the pictures. */
const maxBytes = 16 * 1024 * 1024 + incidentBounds.snapshotsBytes;
const mapHeight = 260;

type Did = (entry: IncidentEntry, words: ServerWords) => string;

/** Null: stands in another part of the document. */
const actions: Readonly<Record<IncidentAction, Did | null>> = {
  created: (_, { say }) => say('pdf.did.created'),
  alarm_added: ({ text }, { say }) => say('pdf.did.alarm_added', { text: text ?? '' }),
  alarm_removed: ({ text }, { say }) => say('pdf.did.alarm_removed', { text: text ?? '' }),
  alarm_acknowledged: (_, { say }) => say('pdf.did.alarm_acknowledged'),
  assigned: ({ to }, { say }) => (to === null ? say('pdf.did.released') : say('pdf.did.assigned', { to })),
  status_changed: ({ to }, { say }) =>
    say('pdf.did.status_changed', { to: say(`pdf.incident_status.${to as IncidentStatus}`) }),
  renamed: ({ to }, { say }) => say('pdf.did.renamed', { to: to ?? '' }),
  severity_changed: ({ from, to }, { say, code }) =>
    say('pdf.did.severity_changed', { from: code('severity', from ?? ''), to: code('severity', to ?? '') }),
  note_added: null,
  item_ticked: ({ text }, { say }) => say('pdf.did.item_ticked', { text: text ?? '' }),
  item_cleared: ({ text }, { say }) => say('pdf.did.item_cleared', { text: text ?? '' }),
  clip_added: (_, { say }) => say('pdf.did.clip_added'),
  clip_removed: (_, { say }) => say('pdf.did.clip_removed'),
  clip_done: (_, { say }) => say('line.video_done'),
  clip_failed: (_, { say }) => say('line.video_failed'),
  snapshot_added: (_, { say }) => say('pdf.did.snapshot_added'),
  snapshot_removed: (_, { say }) => say('pdf.did.snapshot_removed'),
  closed: ({ to }, { say }) => say('pdf.closed', { reason: to ?? '' }),
  reopened: (_, { say }) => say('pdf.did.reopened'),
};

/** @throws ExportTooLarge */
export async function incidentPdf(order: IncidentPdfOrder): Promise<Uint8Array[]> {
  const { incident, entries, tz, now_ms, depot_name } = order;
  const words = createServerWords(order.wording);
  const { say, clock } = words;
  const clockAt = wallClock(tz);
  const second = (time: string | null) => (time === null ? '' : clock(clockAt(Date.parse(time))));
  const head = {
    title: say('pdf.incident', { number: incident.number, title: incident.title }),
    period: [depot_name, incident.place, second(incident.time), tz].filter(Boolean).join(', '),
    facts: factsOf(order, words, second),
    tz,
    now_ms,
    words,
  };
  const notes = entries
    .filter((it) => it.action === 'note_added')
    .map(({ user, time, text }) => ({
      head: `${user?.name ?? say('pdf.server')}, ${second(time)}`,
      text: text ?? '',
    }));
  return pdfDocument(head, maxBytes, async (pages) => {
    await drawPlace(pages, order, words);
    drawNotes(pages, say('pdf.notes'), notes, words);
    await drawSnapshots(pages, order, words, second);
    for (const section of sectionsOf(order, words)) drawSection(pages, section, tz, words);
  });
}

function factsOf(
  { incident, vehicle }: IncidentPdfOrder,
  { say, code }: ServerWords,
  second: (time: string | null) => string,
): (readonly [string, string])[] {
  const { status, close_reason, driver, lat, lon } = incident;
  return [
    [
      say('reports.column.status'),
      close_reason === null
        ? say(`pdf.incident_status.${status}`)
        : say('pdf.closed', { reason: close_reason }),
    ],
    [say('reports.column.severity'), code('severity', incident.severity)],
    [say('pdf.owner'), incident.owner_name ?? say('pdf.nobody')],
    [say('pdf.opened_at'), second(incident.created_at)],
    [say('pdf.opened_by'), say(`pdf.opened_by.${incident.opened_by}`)],
    [say('pdf.closed_at'), second(incident.closed_at)],
    [
      say('reports.column.vehicle_id'),
      vehicle === null ? '' : [vehicle.name, vehicle.plate].filter(Boolean).join(', '),
    ],
    [say('pdf.terminal'), vehicle?.terminal_id ?? ''],
    [
      say('reports.column.driver'),
      driver === null ? '' : [driver.name, driver.phone].filter(Boolean).join(', '),
    ],
    [say('pdf.coordinates'), lat === null || lon === null ? '' : `${lat.toFixed(6)}, ${lon.toFixed(6)}`],
    [say('pdf.track_from'), second(incident.from)],
    [say('pdf.track_to'), second(incident.to)],
  ];
}

/** The track around the incident, or its place alone, on the street maps of the depot. */
async function drawPlace(
  pages: PdfPages,
  { incident, track, gap_ms, maps }: IncidentPdfOrder,
  words: ServerWords,
) {
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

/** Those whose files are there. */
async function drawSnapshots(
  pages: PdfPages,
  { snapshots }: IncidentPdfOrder,
  words: ServerWords,
  second: (time: string) => string,
): Promise<void> {
  const { say } = words;
  const pictures: PdfPicture[] = [];
  for (const { path, kind, time, vehicle_name, channel, note } of snapshots) {
    const bytes = await readFile(path).catch(nullIfMissing);
    if (bytes === null) continue;
    const camera = channel === null ? '' : `${say('pdf.camera')} ${channel}`;
    const what = kind === 'map' ? say('pdf.map') : camera;
    const caption = [second(time), vehicle_name, what, note].filter(Boolean).join(', ');
    pictures.push({ caption, bytes });
  }
  if (pictures.length > 0) drawPictures(pages, say('pdf.snapshots'), pictures);
}

function nullIfMissing(error: unknown): null {
  if (errorCode(error) === 'ENOENT') return null;
  throw error;
}

function sectionsOf(
  { incident, entries, alarms, clips }: IncidentPdfOrder,
  words: ServerWords,
): PdfSection[] {
  const { say, code } = words;
  const { checklist } = incident;
  const did = entries.filter((it) => actions[it.action] !== null);
  return [
    {
      title: say('pdf.checklist'),
      total: checklist.length,
      columns: [
        [say('pdf.item'), 'text'],
        [say('pdf.done_by'), 'text'],
        [say('reports.column.time'), 'time'],
      ],
      rows: checklist.map(({ text, done }) => [
        text,
        done?.user_name ?? say('pdf.item.not_done'),
        done === null ? null : Date.parse(done.at),
      ]),
    },
    {
      title: say('pdf.alarms'),
      total: alarms.length,
      columns: [
        [say('reports.column.severity'), 'text'],
        [say('reports.column.vehicle_id'), 'text'],
        [say('reports.column.rule_id'), 'text'],
        [say('pdf.what_happened'), 'text'],
        [say('pdf.count'), 'count'],
        [say('pdf.first'), 'time'],
        [say('reports.column.acknowledged_by'), 'text'],
        [say('reports.column.acknowledged_at'), 'time'],
      ],
      rows: alarms.map((it) => [
        ...[code('severity', it.severity), it.vehicle_name, it.rule_name, it.what, it.count, it.first_ms],
        ...[it.acknowledged?.name ?? null, it.acknowledged?.at_ms ?? null],
      ]),
    },
    {
      title: say('pdf.clips'),
      total: clips.length,
      columns: [
        [say('reports.column.vehicle_id'), 'text'],
        [say('pdf.camera'), 'count'],
        [say('reports.column.video.start_time'), 'time'],
        [say('reports.column.video.end_time'), 'time'],
        [say('reports.column.status'), 'text'],
        ['SHA-256', 'text'],
      ],
      rows: clips.map((it) => [
        ...[it.vehicle_name, it.channel, it.from_ms, it.to_ms],
        ...[code('status', it.status), it.sha256],
      ]),
    },
    {
      title: say('pdf.timeline'),
      total: did.length,
      columns: [
        [say('reports.column.time'), 'time'],
        [say('pdf.person'), 'text'],
        [say('pdf.what_was_done'), 'text'],
      ],
      rows: did.map((it) => [
        Date.parse(it.time),
        it.user?.name ?? say('pdf.server'),
        actions[it.action]?.(it, words) ?? '',
      ]),
    },
  ];
}
