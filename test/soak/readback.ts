import { z } from 'zod';
import type { ApiClient } from '../support/caller.ts';
import type { Published } from './ledger.ts';

const day = 24 * 3_600_000;
/** The API returns no longer period at once, less the hour without positions. */
const longest = 31 * day - 3_600_000;

const position = z.looseObject({ vehicle_id: z.string(), terminal_id: z.string(), time: z.string() });
const page = z.object({
  items: z.array(z.object({ vehicle_id: z.string(), time: z.string() })),
  next_cursor: z.string().nullable(),
});

/** All positions that the host of this URL returns; records in `vehicles` which vehicle has which terminal. */
export async function* fetchTracks(
  url: string,
  jwt: string,
  now_ms: number,
  vehicles: Map<string, string>,
): AsyncGenerator<Published> {
  const [from, to] = [now_ms - longest, now_ms + 3_600_000].map((ms) => new Date(ms).toISOString());
  const headers = { Authorization: `JWT ${jwt}` };
  const response = await fetch(`${url}/api/v1/tracks?from=${from}&to=${to}`, { headers });
  if (!response.ok || response.body === null) throw new Error(`the tracks answered ${response.status}`);
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const published = position.parse(JSON.parse(line));
      vehicles.set(published.vehicle_id, published.terminal_id);
      yield published;
    }
  }
  if (rest !== '') throw new Error(`the tracks ended in ${rest}`);
}

/** All events of the emergency button. */
export async function fetchAlarms(
  caller: ApiClient,
  vehicles: ReadonlyMap<string, string>,
): Promise<{ terminal_id: string; time: string }[]> {
  const alarms: { terminal_id: string; time: string }[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const at: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await caller.get(`/api/v1/events?kind=sos&limit=1000${at}`);
    if (answer.status !== 200) throw new Error(`the events answered ${answer.status}: ${answer.text}`);
    const read = page.parse(answer.body);
    alarms.push(
      ...read.items.map(({ vehicle_id, time }) => ({
        terminal_id: vehicles.get(vehicle_id) ?? vehicle_id,
        time,
      })),
    );
    cursor = read.next_cursor;
  }
  return alarms;
}
