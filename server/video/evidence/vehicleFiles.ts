import type { LatLon } from '../../contract/coordinates.ts';
import type { NamePlaces } from '../../places/boundedPlaces.ts';
import { type CsvColumn, csvHead, csvLine } from '../../reports/csvTable.ts';
import type { Seen } from '../../notifications/sight.ts';
import type { EventRow, PositionRow } from '../../store/telemetry/rows.ts';
import type { Store } from '../../store/operations.ts';
import { isoTime } from '../../telemetry/presentPosition.ts';
import type { ServerWords } from '../../contract/texts/serverWords.ts';
import { formatAlarm, formatDuration } from '../../notifications/channels/formatAlarm.ts';
import { trackWriter } from '../../telemetry/track.ts';

/** An event with its details. */
export interface PublishedEvent {
  /** As the one who exports may read it. */
  row: Seen<EventRow>;
  geofence: string | null;
  label: string;
  /** By the map files; null where none is near, or when it did not come in time. */
  address: string | null;
}

export type SeenEvent = (row: EventRow) => Pick<PublishedEvent, 'row' | 'geofence'>;

export interface EventSources {
  store: Pick<Store, 'events'>;
  seenEvent: SeenEvent;
  namePlaces: NamePlaces;
  words: ServerWords;
}

const pageRows = 1_000;
const dayMs = 86_400_000;

/** The events of a period, oldest first. The store lists from new to old: a day at a time is turned around. */
export async function* eventsOf(
  { vehicle_id, from_ms, to_ms }: Period,
  { store, seenEvent, namePlaces, words }: EventSources,
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
    const seen = rows.reverse().map(seenEvent);
    const places = await namePlaces(seen.map(({ row }) => pointOf(row)));
    for (const [at, { row, geofence }] of seen.entries())
      yield { row, geofence, label: eventLabel(row, geofence, words), address: places[at]?.text ?? null };
  }
}

const columns: readonly CsvColumn<PublishedEvent>[] = [
  { name: 'time', cell: ({ row }) => isoTime(row.time_ms) },
  { name: 'kind', cell: ({ row }) => row.kind },
  { name: 'what', cell: ({ label }) => label },
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
  { name: 'address', cell: ({ address }) => address },
];

export function formatEvents(format: 'csv' | 'geojson', events: AsyncIterable<PublishedEvent>): CountedText {
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
function feature({ row, geofence, label, address }: PublishedEvent): object {
  const { time_ms, received_ms, lat, lon, ...rest } = row;
  const point = pointOf({ lat, lon });
  return {
    type: 'Feature',
    geometry: point === null ? null : { type: 'Point', coordinates: [point.lon, point.lat] },
    properties: {
      time: isoTime(time_ms),
      received_at: isoTime(received_ms),
      what: label,
      geofence,
      address,
      ...rest,
    },
  };
}

function pointOf({ lat, lon }: Pick<EventRow, 'lat' | 'lon'>): LatLon | null {
  return lat === null || lon === null ? null : { lat, lon };
}

/** What happened, in one line of the words of notifications. */
export function eventLabel(
  { kind, details }: Pick<EventRow, 'kind' | 'details'>,
  geofence: string | null,
  words: ServerWords,
): string {
  const { duration_s } = details;
  const what = formatAlarm(
    { event_kind: kind, details },
    geofence ?? words.say('mail.unknown_geofence'),
    words,
  );
  return kind === 'overspeed' && duration_s !== null
    ? words.say('line.lasted_in', { what, span: formatDuration(duration_s, words) })
    : what;
}

export interface Period {
  vehicle_id: string;
  from_ms: number;
  to_ms: number;
}

interface CountedText {
  text: AsyncIterable<string>;
  /** How many lines or features were written so far. */
  count(): number;
}

/** The positions of a period, as `GET /vehicles/{vehicle}/track` writes them. */
export function formatPositions(
  format: 'csv' | 'geojson',
  vehicle: Period & { name: string; terminal_id: string },
  store: Pick<Store, 'track'>,
): CountedText {
  const writer = trackWriter(format, vehicle);
  let written = 0;
  async function* text(): AsyncGenerator<string> {
    yield writer.head;
    for await (const page of store.track(periodOf(vehicle))) {
      const rows = writer.drawnOnly ? page.filter((row) => row.valid) : page;
      if (rows.length === 0) continue;
      yield writer.rows(rows, written === 0);
      written += rows.length;
    }
    yield writer.tail;
  }
  return { text: text(), count: () => written };
}

/** The drawn positions of a period. */
export async function* drawnTrack(
  period: Period,
  store: Pick<Store, 'track'>,
): AsyncGenerator<PositionRow[]> {
  for await (const page of store.track(periodOf(period))) yield page.filter((row) => row.valid);
}

function periodOf({ vehicle_id, from_ms, to_ms }: Period): Period {
  return { vehicle_id, from_ms, to_ms };
}
