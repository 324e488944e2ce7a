import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  assignmentRoutes,
  driveRoutes,
  driverRoutes,
  type NewDriver,
} from '../../../server/contract/drivers.ts';
import { historyRoutes } from '../../../server/contract/history.ts';
import { positionRoutes } from '../../../server/contract/positions.ts';
import { reportRoutes } from '../../../server/contract/reports.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { openStream } from '../../support/streamReader.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

const clock = createFakeClock();
let host: TestHost;
let dealer: Caller;
beforeAll(async () => {
  host = await startTestHost({ clock });
  dealer = await host.login();
});
afterAll(() => host.close());

const iso = (ms: number) => new Date(ms).toISOString();
const minute = 60_000;
let count = 0;
let vehicle: string;
let start_ms: number;
/** Minute 0 was so many minutes ago. */
function began(minutesAgo: number): void {
  start_ms = clock.now() - minutesAgo * minute;
}
beforeEach(async () => {
  began(0);
  const name = `V${(count += 1)}`;
  ({ vehicle_id: vehicle } = await dealer.ask(vehicleRoutes.create, { body: { terminal_id: name, name } }));
});

/** A message of so many minutes after the start. */
async function send(at: number, more: { ignition?: boolean; card?: string }): Promise<void> {
  const { ignition = null, card } = more;
  const attributes = card === undefined ? {} : { ibutton: card };
  const time = iso(start_ms + at * minute);
  const position = { vehicle_id: vehicle, time, lat: 57, lon: 24, ignition, attributes };
  await dealer.ask(positionRoutes.post, { body: { positions: [position] } });
}

const driver = (name: string, more: Partial<NewDriver> = {}) =>
  dealer.ask(driverRoutes.create, { body: { name, ...more } });
const withCard = (name: string, number: string) =>
  driver(name, { cards: [{ number, from: null, to: null }] });
const assign = (driver_id: string, from: number, to: number | null = null) =>
  dealer.ask(assignmentRoutes.create, {
    body: {
      ...{ driver_id, vehicle_id: vehicle, from: iso(start_ms + from * minute) },
      to: to === null ? null : iso(start_ms + to * minute),
    },
  });
const inMinutes = (time: string | null) => (time === null ? null : (Date.parse(time) - start_ms) / minute);
const period = () => ({ from: iso(start_ms), to: iso(start_ms + 24 * 60 * minute) });
/** Who drove, from and to in minutes after the start. */
async function drives() {
  const { items } = await dealer.ask(driveRoutes.ofVehicle, { params: { vehicle }, query: period() });
  return items.map((it) => [inMinutes(it.from), inMinutes(it.to), it.driver_name ?? it.card]);
}
const current = async () => {
  const { current_driver } = await dealer.ask(vehicleRoutes.get, { params: { vehicle } });
  return current_driver && (current_driver.name ?? current_driver.card);
};
/** Until what was stored is shown. */
async function shows(who: string | null): Promise<void> {
  for (let attempt = 0; attempt < 200 && (await current()) !== who; attempt++);
  expect(await current()).toBe(who);
}

describe('who drove a vehicle', () => {
  it('the driver of a card that was read drives until the ignition is switched off', async () => {
    const { driver_id } = await withCard('Reader', 'C1');
    began(120);
    await send(0, { ignition: false, card: 'C-1' });
    await send(1, { ignition: false });
    await send(2, { ignition: true });
    await shows('Reader');
    await send(60, { ignition: true });
    await send(61, { ignition: false });
    await shows(null);
    expect(await drives()).toEqual([[0, 61, 'Reader']]);
    const { items } = await dealer.ask(driveRoutes.ofDriver, { params: { driver_id }, query: period() });
    expect(items).toMatchObject([{ vehicle_id: vehicle, vehicle_name: `V${count}`, card: 'C1', driver_id }]);
  });

  it('a card that no driver has is shown as it is, and becomes the driver who is created for it', async () => {
    began(60);
    await send(0, { ignition: true, card: '00AF' });
    await shows('AF');
    expect(await drives()).toEqual([[0, null, 'AF']]);
    await withCard('Found', '00AF');
    await shows('Found');
    const found = await dealer.ask(vehicleRoutes.list, { query: { q: `found v${count}` } });
    expect(found.items.map((it) => it.vehicle_id)).toEqual([vehicle]);
    expect(await drives()).toEqual([[0, null, 'Found']]);
  });

  it('a card counts before an assignment, which counts where none was read', async () => {
    await withCard('With card', 'C3');
    const { driver_id } = await driver('Assigned');
    began(200);
    await assign(driver_id, 0, 180);
    await send(60, { ignition: true, card: 'C3' });
    await send(90, { ignition: false });
    expect(await drives()).toEqual([
      [0, 60, 'Assigned'],
      [60, 90, 'With card'],
      [90, 180, 'Assigned'],
    ]);
    const { items } = await dealer.ask(driveRoutes.ofDriver, { params: { driver_id }, query: period() });
    expect(items.map((it) => [inMinutes(it.from), inMinutes(it.to)])).toEqual([
      [0, 60],
      [90, 180],
    ]);
  });

  it('messages in any order, and late ones, give the same drives', async () => {
    await withCard('Anna', 'A4');
    await withCard('Ben', 'B4');
    began(300);
    const sent: [number, { ignition?: boolean; card?: string }][] = [
      [0, { ignition: true, card: 'A4' }],
      [30, { ignition: true, card: 'A4' }],
      [40, { ignition: false }],
      [60, { ignition: true, card: 'B4' }],
      [90, { ignition: true }],
      [100, { ignition: true, card: 'A4' }],
      [120, { ignition: false }],
    ];
    for (const at of [5, 0, 6, 2, 4, 1, 3]) await send(...(sent[at] ?? [0, {}]));
    expect(await drives()).toEqual([
      [0, 40, 'Anna'],
      [60, 100, 'Ben'],
      [100, 120, 'Anna'],
    ]);
    await shows(null);
    await send(20, { ignition: false });
    expect((await drives()).slice(0, 2)).toEqual([
      [0, 20, 'Anna'],
      [30, 40, 'Anna'],
    ]);
  });

  it('who drove is forgotten with the data of the vehicle', async () => {
    began(300);
    await withCard('Forgotten', 'F1');
    await send(0, { ignition: true, card: 'F1' });
    await send(100, { ignition: false });
    await send(200, { ignition: true, card: 'F1' });
    await send(210, { ignition: false });
    const query = { from: iso(start_ms - minute), to: iso(start_ms + 150 * minute) };
    await dealer.ask(vehicleRoutes.deleteData, { params: { vehicle }, query });
    expect(await drives()).toEqual([[200, 210, 'Forgotten']]);
  });

  it('a card that was handed over names who had it then', async () => {
    began(200);
    const first = await driver('First', {
      cards: [{ number: 'C5', from: null, to: iso(start_ms + 60 * minute) }],
    });
    await withCard('Second', 'C5');
    await send(10, { ignition: true, card: 'C5' });
    await send(20, { ignition: false });
    await send(70, { ignition: true, card: 'C5' });
    await send(80, { ignition: false });
    await dealer.ask(driverRoutes.remove, { params: { driver_id: first.driver_id } });
    expect(await drives()).toEqual([
      [10, 20, 'First'],
      [70, 80, 'Second'],
    ]);
  });
});

it('a report of trips says who drove each of them, and shows those of one driver alone', async () => {
  began(300);
  const anna = await withCard('Anna', 'R1');
  await withCard('Ben', 'R2');
  /** Ten minutes at 60 km/h, with a card that is read a minute after the start. */
  async function drive(at: number, card?: string): Promise<void> {
    const positions = Array.from({ length: 14 }, (_, minute_) => ({
      ...{ vehicle_id: vehicle, time: iso(start_ms + (at + minute_) * minute), lon: 24 },
      lat: 57 + (at + Math.min(minute_, 10)) / 100,
      ...{ speed_kmh: minute_ < 10 ? 60 : 0, ignition: minute_ < 11 },
      attributes: card !== undefined && minute_ === 1 ? { rfid: card } : {},
    }));
    await dealer.ask(positionRoutes.post, { body: { positions } });
  }
  await drive(0, 'R1');
  await drive(60, 'R2');
  await drive(120, 'UNKNOWN');
  await drive(180);
  async function trips(query: Record<string, string> = {}) {
    const asked = new URLSearchParams({ ...period(), vehicle, ...query });
    const { status, body } = await dealer.get(`${reportRoutes.trips.path}?${asked.toString()}`);
    if (status !== 200) return status;
    return (body as { rows: { driver?: string; driver_id?: string }[] }).rows.map((it) => it.driver ?? null);
  }
  expect(await trips()).toEqual(['Anna', 'Ben', 'UNKNOWN', null]);
  expect(await trips({ driver_id: anna.driver_id })).toEqual(['Anna']);
  expect(await trips({ driver_id: vehicle })).toBe(404);
  // Sums are cut where another driver takes over.
  async function daily(query: Record<string, string>) {
    const asked = new URLSearchParams({ ...period(), vehicle, ...query });
    const { body } = await dealer.get(`${reportRoutes.daily.path}?${asked.toString()}`);
    const { rows } = body as { rows: { driver?: string; trips: number }[] };
    return new Map(rows.map((it) => [it.driver ?? null, it.trips]));
  }
  expect(await daily({ group: 'driver' })).toEqual(
    new Map([
      // A card is read a minute after the start.
      [null, 4],
      ['Anna', 0],
      ['Ben', 0],
      ['UNKNOWN', 0],
    ]),
  );
  expect(await daily({ driver_id: anna.driver_id })).toEqual(new Map([['Anna', 0]]));
  expect(await daily({})).toEqual(new Map([[null, 4]]));
  const { text } = await dealer.get(
    `${reportRoutes.trips.path}?${new URLSearchParams({ ...period(), vehicle, format: 'csv' }).toString()}`,
  );
  expect(text.split('\r\n')[0]).toContain(',driver,');
  expect(text).toContain(',Ben,');
});

it('a past moment names who drove then', async () => {
  // The vehicle is there since before.
  clock.advance(20 * minute);
  began(15);
  await withCard('Then', 'C8');
  await send(5, { ignition: true, card: 'C8' });
  await send(10, { ignition: false });
  const driverAt = async (minute_: number) => {
    const at = iso(start_ms + minute_ * minute);
    const { body } = await dealer.get(`${historyRoutes.moment.path}?at=${encodeURIComponent(at)}`);
    const { vehicles } = body as { vehicles: { vehicle_id: string; driver: { name: string } | null }[] };
    return vehicles.find((it) => it.vehicle_id === vehicle)?.driver?.name ?? null;
  };
  expect([await driverAt(7), await driverAt(12)]).toEqual(['Then', null]);
});

it('the stream shows a vehicle again when another one drives it, by time alone too', async () => {
  const stream = await openStream(host.url, dealer);
  const { driver_id } = await driver('Shift');
  await assign(driver_id, 1, 2);
  const next = async () => {
    const { data } = await stream.next(
      'vehicle',
      (it) => 'current_driver' in it && it.vehicle_id === vehicle,
    );
    return 'current_driver' in data ? (data.current_driver?.name ?? null) : undefined;
  };
  clock.advance(1.5 * minute);
  expect(await next()).toBe('Shift');
  clock.advance(minute);
  expect(await next()).toBe(null);
  stream.close();
});

it('who drives is known after a restart', async () => {
  await withCard('Restarted', 'C7');
  began(60);
  await send(50, { ignition: true, card: 'C7' });
  await shows('Restarted');
  await host.stop();
  const again = await startTestHost({ clock, data: host.data });
  try {
    dealer = await again.login();
    expect(await current()).toBe('Restarted');
  } finally {
    await again.close();
  }
});
