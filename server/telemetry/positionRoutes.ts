import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { positionRoutes, type NewPosition, type PositionResult } from '../contract/positions.ts';
import type { Api } from '../http/api.ts';
import { ApiError, invalid, notFound } from '../http/apiError.ts';
import { decodeCursor, encodeCursor, paginate, within } from '../http/pagination.ts';
import { createLines } from '../http/lines.ts';
import { streamBytes } from '../http/unreadAnswers.ts';
import { errorCode } from '../store/documents/Files.ts';
import type { PositionRow } from '../store/telemetry/rows.ts';
import type { Store } from '../store/operations.ts';
import type { Vehicles } from '../vehicles/vehicles.ts';
import type { Accept, Outcome, TerminalReport } from './terminalReport.ts';
import type { LiveFleet } from './liveFleet.ts';
import { isoTime, keptPosition, keptPositionJson, presentPosition } from './presentPosition.ts';
import { simplifyTrack } from './simplifyTrack.ts';
import { trackWriter, type TrackWriter } from './track.ts';
import { SerializedPage } from '../http/serializedJson.ts';
import type { VehicleRecord } from '../vehicles/vehicleRecord.ts';
import { sharesGroup, type Viewer } from '../http/viewer.ts';

export interface PositionRouteDeps {
  vehicles: Vehicles;
  fleet: LiveFleet;
  accept: Accept;
  store: Pick<Store, 'track' | 'rejected' | 'unknownTerminals'>;
}

/** What is evaluated and stored is in memory several times over, and holds up whatever comes in meanwhile. */
const acceptedAtOnce = 250;

/** Each holds a page of positions, a simplified one all that it shows; a client that does not read keeps them waiting. */
const maxTracksOfUser = 2;

/** Of a page of rejected positions, which may be 4,000 each. */
const rejectedChars = 1_000_000;

export function addPositionRoutes(api: Api, { vehicles, fleet, accept, store }: PositionRouteDeps): void {
  const newestOf = latestPositions(fleet);
  api.handle(positionRoutes.latest, ({ query, viewer }) => {
    const visible = vehicles.visible(viewer);
    if (query.format === 'json') return newestOf.json(visible);
    return {
      type: 'FeatureCollection' as const,
      features: newestOf.each(visible, keptPosition).map(({ lat, lon, ...properties }) => ({
        type: 'Feature' as const,
        geometry: { type: 'Point', coordinates: [lon, lat] },
        properties,
      })),
    };
  });

  api.handle(positionRoutes.post, async ({ body, address }) => {
    const results: PositionResult[] = [];
    for (let at = 0; at < body.positions.length; at += acceptedAtOnce) {
      const reports = body.positions
        .slice(at, at + acceptedAtOnce)
        .map((it, index) => reportOf(it, at + index, vehicles));
      const known = reports.flatMap((it) => ('terminal_id' in it ? [it] : []));
      const outcomes = await accept(known, { protocol: 'api', address });
      // What was stored before is a duplicate when the call comes again.
      const failed = outcomes.find((it) => it.status === 'failed');
      if (failed !== undefined) throw new ApiError(failed.code, failed.detail);
      let next = 0;
      for (const it of reports) results.push('terminal_id' in it ? resultOf(outcomes[next++]) : it);
    }
    return { results };
  });

  const rejectedPages = createLines();
  api.handle(positionRoutes.rejected, async ({ query, viewer, response }) => {
    const [before] = query.cursor === undefined ? [] : decodeCursor(query.cursor);
    if (before !== undefined && typeof before !== 'number')
      throw invalid('cursor', 'belongs to another list');
    const leave = await rejectedPages.enter(viewer.user.user_id);
    // Until it is sent: a page is a megabyte.
    response.once('close', leave);
    if (response.closed) leave();
    const rows = await store.rejected({
      limit: query.limit + 1,
      ...(before === undefined ? {} : { before }),
    });
    const visible = within(rows.slice(0, query.limit), { max: rejectedChars, of: ({ raw }) => raw.length });
    const last = visible.at(-1);
    return {
      items: visible.map(({ received_ms, ...row }) => ({ ...row, received_at: isoTime(received_ms) })),
      next_cursor:
        rows.length > visible.length && last !== undefined ? encodeCursor([last.rejected_id]) : null,
    };
  });

  api.handle(positionRoutes.unknownTerminals, async ({ query }) => {
    // A message that was on its way when its terminal got a vehicle may have come back to the list.
    const rows = (await store.unknownTerminals()).filter(
      (it) => vehicles.byTerminal(it.terminal_id) === undefined,
    );
    const { items, next_cursor } = paginate(
      rows,
      (it) => [isoTime(8.64e15 - it.last_seen_ms), it.terminal_id],
      query,
    );
    return {
      items: items.map(({ first_seen_ms, last_seen_ms, message_count, ...it }) => ({
        ...it,
        messages: message_count,
        first_seen_at: isoTime(first_seen_ms),
        last_seen_at: isoTime(last_seen_ms),
      })),
      next_cursor,
    };
  });

  const tracks = createLines(maxTracksOfUser);
  api.handle(positionRoutes.track, async ({ params, query, viewer, response, holds }) => {
    const vehicle = vehicles.find(params.vehicle, viewer);
    const leave = await tracks.enter(viewer.user.user_id);
    try {
      if (response.closed) return;
      holds(streamBytes);
      const pages = store.track({
        vehicle_id: vehicle.vehicle_id,
        from_ms: Date.parse(query.from),
        to_ms: Date.parse(query.to),
      });
      const writer = trackWriter(query.format, vehicle);
      if (query.format !== 'json') response.attachment(`track-${query.from.slice(0, 10)}.${query.format}`);
      const visible = writer.drawnOnly ? drawnOf(pages) : pages;
      await writeTrack(
        response,
        writer,
        query.max_points === undefined ? visible : simplifyTrack(visible, query.max_points),
      );
    } finally {
      leave();
    }
  });
}

async function* drawnOf(pages: AsyncIterable<PositionRow[]>): AsyncGenerator<PositionRow[]> {
  for await (const page of pages) yield page.filter((row) => row.valid);
}

/** Writes as fast as the client reads; a client that hangs up ends the reading. */
async function writeTrack(
  response: Response,
  writer: TrackWriter,
  pages: AsyncIterable<PositionRow[]>,
): Promise<void> {
  response.set('Content-Type', writer.contentType);
  try {
    await pipeline(Readable.from(textOf(writer, pages)), response);
  } catch (error) {
    if (errorCode(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

async function* textOf(writer: TrackWriter, pages: AsyncIterable<PositionRow[]>): AsyncGenerator<string> {
  yield writer.head;
  let isFirst = true;
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    yield writer.rows(rows, isFirst);
    isFirst = false;
  }
  if (writer.tail !== '') yield writer.tail;
}

/** What a position says, or why it cannot even be asked for: its vehicle is not there. */
function reportOf(position: NewPosition, at: number, vehicles: Vehicles): TerminalReport | PositionResult {
  const { terminal_id, vehicle_id, time, lat, lon, ...measured } = position;
  const terminal = terminal_id ?? vehicles.get(vehicle_id ?? '')?.terminal_id;
  const archived = vehicle_id !== undefined && vehicles.get(vehicle_id)?.archived_at !== null;
  if (terminal === undefined || archived) {
    return {
      status: 'rejected',
      code: 'unknown_terminal',
      detail: `positions.${at}: there is no such vehicle.`,
    };
  }
  const time_ms = Date.parse(time);
  return { ...measured, terminal_id: terminal, time_ms, isTimeRight: true, place: { lat, lon } };
}

function resultOf(outcome: Outcome | undefined): PositionResult {
  switch (outcome?.status) {
    case 'stored':
    case 'duplicate':
    case 'merged':
      return { status: outcome.status, code: null, detail: null };
    case 'rejected':
      return { status: 'rejected', code: outcome.code, detail: outcome.detail };
    default:
      return { status: 'rejected', code: 'unknown_terminal', detail: 'No vehicle has this terminal.' };
  }
}

interface LatestPositions {
  /** Of each of these vehicles that has one. */
  each<T>(vehicles: readonly VehicleRecord[], present: (row: PositionRow, terminal_id: string) => T): T[];
  /** All of them as one answer, `{positions: [...]}`. */
  json(vehicles: readonly VehicleRecord[]): SerializedPage;
}

/**
 * The newest positions, quickly. The last answer stands as long as it was asked for the same list of vehicles, which is
 * another one after each change of a vehicle, and no state has changed since.
 */
function latestPositions(fleet: Pick<LiveFleet, 'state' | 'version'>): LatestPositions {
  let last: { of: readonly VehicleRecord[]; version: number; reply: SerializedPage } | null = null;

  const each: LatestPositions['each'] = (vehicles, present) => {
    const all = [];
    for (const { vehicle_id, terminal_id } of vehicles) {
      const { newest } = fleet.state(vehicle_id);
      if (newest !== null) all.push(present(newest, terminal_id));
    }
    return all;
  };

  return {
    each,
    json(vehicles) {
      const version = fleet.version();
      if (last?.of !== vehicles || last.version !== version) {
        const reply = new SerializedPage('{"positions":[', each(vehicles, keptPositionJson), ']}');
        last = { of: vehicles, version, reply };
      }
      return last.reply;
    },
  };
}

export interface FleetTracksDeps extends VehicleLookup {
  store: Pick<Store, 'track'>;
}

/** One answer of a user at a time: thirty of a month, each as fast as its client reads, would hold up everybody else. */
export function addFleetTracksRoute(api: Api, { store, ...lookup }: FleetTracksDeps): void {
  const perUser = createLines();
  api.handle(positionRoutes.tracks, async ({ query, viewer, response, holds }) => {
    const leave = await perUser.enter(viewer.user.user_id);
    try {
      if (response.closed) return;
      const requested = resolveVehicles(query, viewer, lookup);
      holds(streamBytes);
      const lines = linesOf(requested, Date.parse(query.from), Date.parse(query.to), store);
      response.set('Content-Type', 'application/x-ndjson');
      // Reads as fast as the client does; one that hangs up ends the reading.
      await pipeline(Readable.from(lines, { highWaterMark: 1 }), response);
    } catch (error) {
      if (errorCode(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    } finally {
      leave();
    }
  });
}

/** A page of the store at a time. */
async function* linesOf(
  requested: readonly VehicleRecord[],
  from_ms: number,
  to_ms: number,
  store: FleetTracksDeps['store'],
): AsyncGenerator<string> {
  for (const { vehicle_id, terminal_id } of requested) {
    // Both ends of what the store reads are included, the end of a period is not.
    for await (const rows of store.track({ vehicle_id, from_ms, to_ms: to_ms - 1 })) {
      const text = rows.map((row) => `${JSON.stringify(presentPosition(row, terminal_id))}\n`).join('');
      if (text !== '') yield text;
    }
  }
}

export interface VehicleLookup {
  vehicles: Pick<Vehicles, 'find' | 'visible'>;
  groupExists: (groupId: string) => boolean;
}

/** As people order them: Van 2 comes before Van 10. */
const names = new Intl.Collator('en', { numeric: true });

/**
 * The vehicles that a call is about, by their names: those named, a group's, or all that the viewer sees. Throws 404 for a
 * vehicle or a group that is not there or not the viewer's. Dealers name archived vehicles by their UUID.
 */
export function resolveVehicles(
  requested: { vehicle?: string | readonly string[] | undefined; group_id?: string | undefined },
  viewer: Viewer,
  { vehicles, groupExists }: VehicleLookup,
): VehicleRecord[] {
  const { vehicle, group_id } = requested;
  if (group_id !== undefined && !(groupExists(group_id) && sharesGroup(viewer, [group_id]))) {
    throw notFound('group');
  }
  const named = vehicle === undefined ? [] : [vehicle].flat();
  const found =
    named.length === 0
      ? vehicles.visible(viewer)
      : [...new Set(named.map((it) => vehicles.find(it, viewer)))];
  return found
    .filter((it) => group_id === undefined || it.group_ids.includes(group_id))
    .toSorted((a, b) => names.compare(a.name, b.name) || (a.vehicle_id < b.vehicle_id ? -1 : 1));
}
