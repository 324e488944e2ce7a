import type { CsvColumn } from '../../reports/csvText.ts';
import { csvHead, csvLine } from '../../reports/csvText.ts';
import type { Seen } from '../../notifications/sight.ts';
import type { EventRow } from '../../store/telemetry/rows.ts';
import type { Store } from '../../store/operations.ts';
import { isoTime } from '../../telemetry/presentPosition.ts';
import { eventLabels } from './eventLabels.ts';
import type { CountedText, Period } from './positionFiles.ts';

/** An event with its details. */
export interface PublishedEvent {
  /** As the one who exports may read it. */
  row: Seen<EventRow>;
  geofence: string | null;
  words: string;
}

export type SeenEvent = (row: EventRow) => Pick<PublishedEvent, 'row' | 'geofence'>;

const pageRows = 1_000;
const dayMs = 86_400_000;

/** The events of a period, oldest first. The store lists from new to old: a day at a time is turned around. */
export async function* eventsOf(
  { vehicle_id, from_ms, to_ms }: Period,
  store: Pick<Store, 'events'>,
  seenEvent: SeenEvent,
): AsyncGenerator<PublishedEvent> {
  for (let day_ms = from_ms; day_ms <= to_ms; day_ms += dayMs) {
    const rows: EventRow[] = [];
    for (let more = true, before: { ms: number; id: string } | undefined; more;) {
      const page = await store.events({
        vehicle_ids: [vehicle_id],
        from_ms: day_ms,
        to_ms: Math.min(to_ms, day_ms + dayMs - 1),
        limit: pageRows,
        ...(before === undefined ? {} : { before }),
      });
      rows.push(...page);
      const last = page.at(-1);
      more = last !== undefined && page.length === pageRows;
      if (last !== undefined) before = { ms: last.time_ms, id: last.event_id };
    }
    for (const stored of rows.reverse()) {
      const { row, geofence } = seenEvent(stored);
      yield { row, geofence, words: eventLabels(row, geofence) };
    }
  }
}

const columns: readonly CsvColumn<PublishedEvent>[] = [
  { name: 'time', cell: ({ row }) => isoTime(row.time_ms) },
  { name: 'kind', cell: ({ row }) => row.kind },
  { name: 'what', cell: ({ words }) => words },
  { name: 'lat', cell: ({ row }) => row.lat },
  { name: 'lon', cell: ({ row }) => row.lon },
  { name: 'geofence', cell: ({ geofence }) => geofence },
  { name: 'measured', cell: ({ row }) => row.details.measured },
  { name: 'threshold', cell: ({ row }) => row.details.threshold },
  { name: 'unit', cell: ({ row }) => row.details.unit },
  { name: 'duration_s', cell: ({ row }) => row.details.duration_s },
  { name: 'ended_at', cell: ({ row }) => row.details.ended_at },
  { name: 'alarm', cell: ({ row }) => row.details.alarm },
  { name: 'received_at', cell: ({ row }) => isoTime(row.received_ms) },
  { name: 'late', cell: ({ row }) => row.late },
  { name: 'event_id', cell: ({ row }) => row.event_id },
];

export function eventsText(format: 'csv' | 'geojson', events: AsyncIterable<PublishedEvent>): CountedText {
  let written = 0;
  async function* csv(): AsyncGenerator<string> {
    yield csvHead(columns);
    for await (const event of events) {
      yield csvLine(columns, event);
      written++;
    }
  }
  async function* geojson(): AsyncGenerator<string> {
    yield '{"type":"FeatureCollection","features":[';
    for await (const event of events) {
      yield `${written === 0 ? '' : ','}${JSON.stringify(feature(event))}`;
      written++;
    }
    yield ']}';
  }
  return { text: format === 'csv' ? csv() : geojson(), count: () => written };
}

/** A geometry of null is what GeoJSON has for something without a place (RFC 7946 section 3.2). */
function feature({ row, geofence, words }: PublishedEvent): object {
  const { time_ms, received_ms, lat, lon, ...rest } = row;
  return {
    type: 'Feature',
    geometry: lat === null || lon === null ? null : { type: 'Point', coordinates: [lon, lat] },
    properties: {
      time: isoTime(time_ms),
      received_at: isoTime(received_ms),
      what: words,
      geofence,
      ...rest,
    },
  };
}
