import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { geofence } from '../../server/contract/geofences.ts';
import { vehicle } from '../../server/contract/vehicles.ts';
import { createFakeClock, type FakeClock } from '../support/fakeClock.ts';
import { startTestHost, type Caller, type TestHost } from '../support/testHost.ts';
import { openEventStream, type EventStream } from './eventStream.ts';
import { createTerminal, type Terminal } from './terminal.ts';

/** A host with a clock that is driven by hand, its dealer, and an unknown terminal for its listener. */
export interface Depot {
  host: TestHost;
  clock: FakeClock;
  dealer: Caller;
  terminal: Terminal;
  listen: (options?: { topics?: string; lastId?: string }) => Promise<EventStream>;
}

export const metresOfDegree = 111_195;

/** All of it ends with the running test. */
export async function openDepot(
  options: Parameters<typeof startTestHost>[0] & { clock?: FakeClock } = {},
): Promise<Depot> {
  const clock = options.clock ?? createFakeClock();
  const host = await startTestHost({ ...options, clock });
  onTestFinished(() => (options.data === undefined ? host.close() : host.stop()));
  return furnish(host, clock);
}

/** Restarts a host on the folder of one that has been stopped. */
export async function reopenDepot(depot: Depot): Promise<Depot> {
  return openDepot({ data: depot.host.data, clock: depot.clock });
}

async function furnish(host: TestHost, clock: FakeClock): Promise<Depot> {
  const terminal = createTerminal(host.intakeUrl);
  onTestFinished(() => terminal.close());
  const dealer = await host.login();
  return {
    host,
    clock,
    dealer,
    terminal,
    listen: async (wanted) => {
      const stream = await openEventStream(host.url, dealer.jwt, wanted);
      onTestFinished(() => stream.close());
      return stream;
    },
  };
}

export async function addVehicle(dealer: Caller, terminal_id: string, more: object = {}): Promise<string> {
  const answer = await dealer.post('/api/v1/vehicles', { terminal_id, name: `Van ${terminal_id}`, ...more });
  return expectCreated(vehicle, answer).vehicle_id;
}

/** A circle, without hysteresis unless `more` says otherwise. */
export async function addCircle(
  dealer: Caller,
  centre: { lat: number; lon: number },
  radius_m: number,
  more: object = {},
): Promise<string> {
  const answer = await dealer.post('/api/v1/geozones', {
    name: 'Yard',
    shape: 'circle',
    geometry: { type: 'Point', coordinates: [centre.lon, centre.lat] },
    radius_m,
    hysteresis_m: 0,
    ...more,
  });
  return expectCreated(geofence, answer).geozone_id;
}

export function expectCreated<T extends z.ZodType>(
  schema: T,
  answer: { status: number; body: unknown; text: string },
) {
  if (answer.status !== 201) throw new Error(`answered ${answer.status}: ${answer.text}`);
  return schema.parse(answer.body);
}

/** All pages of a list. */
export async function wholeList<T extends z.ZodType>(
  caller: Caller,
  path: string,
  item: T,
): Promise<z.infer<T>[]> {
  const page = z.object({ items: z.array(item), next_cursor: z.string().nullable() });
  const items: z.infer<T>[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const at: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await caller.get(`${path}${path.includes('?') ? '&' : '?'}limit=1000${at}`);
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    const read = page.parse(answer.body);
    items.push(...read.items);
    cursor = read.next_cursor;
  }
  return items;
}
