import { maxBulk } from '../../../server/contract/bulk.ts';
import { maxPositions } from '../../../server/contract/positions.ts';
import { always, type Field, type OperationAttack } from '../attack.ts';
import { manyVehicles, unknownId } from '../depot.ts';
import { iso, lastDays } from './accounts.ts';

const oldest = ({ depot }: Field) => depot.vehicles[0]?.vehicle_id ?? '';
/** As much as the attributes of a vehicle may hold. */
const heavyAttributes = (letter: string, count = 8) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, letter.repeat(2_000)]));
const gpxOf = (from_ms: number, points: number): string => {
  const lines = Array.from({ length: points }, (_, at) => {
    const place = `lat="52.${10_000 + at}" lon="13.${10_000 + at}"`;
    return `<trkpt ${place}><time>${iso(from_ms + at * 1_000)}</time><speed>9</speed></trkpt>`;
  });
  return `<gpx><trk><trkseg>${lines.join('')}</trkseg></trk></gpx>`;
};
const row = (at: number) => `t${at},"${'"" ,\n'.repeat(325)}",${'9'.repeat(20)},van\n`;

/** Vehicles, their terminals and their positions, and the stream. */
export const vehicleAttacks: readonly OperationAttack[] = [
  {
    operation: 'listVehicles',
    does: 'all of them, searched in six fields for what none has',
    calls: always({ query: { limit: 1_000, q: ' '.repeat(49) + 'an'.repeat(25) } }),
  },
  {
    operation: 'listVehicles',
    variant: 'whole',
    does: 'a page of 1,000, by a status that each is asked for',
    calls: always(({ depot }) => ({ query: { limit: 1_000, group_id: depot.group_id, status: 'moving' } })),
  },
  {
    operation: 'createVehicle',
    does: '16 kB of attributes each, with a key that keeps the answer',
    calls: ({ depot }) => {
      const attributes = heavyAttributes('x');
      return (at) => ({
        headers: { 'Idempotency-Key': `${at}`.padEnd(200, 'k') },
        body: { terminal_id: `heavy-${at}`, name: 'Heavy', group_ids: [depot.group_id], attributes },
      });
    },
  },
  {
    operation: 'importVehicles',
    does: '8 MiB of CSV whose fields are doubled quotes and line breaks',
    connections: 6,
    calls: always({
      headers: { 'Content-Type': 'text/csv' },
      query: { dry_run: '1' },
      body: `terminal_id,name,plate,type\n${Array.from({ length: 5_000 }, (_, at) => row(at)).join('')}`,
    }),
  },
  {
    operation: 'importVehicles',
    variant: 'blank',
    does: '8 MiB of blank rows below a thousand columns of equal names',
    connections: 6,
    calls: always({
      headers: { 'Content-Type': 'text/csv' },
      query: { dry_run: '1', mapping: 'plate:c' },
      body: `terminal_id;name;${'c;'.repeat(998)}\n${';\n'.repeat(4_000_000)}`,
    }),
  },
  {
    operation: 'importVehicles',
    variant: 'faults',
    does: '5,000 rows with 20 faults each',
    connections: 6,
    calls: () => {
      const wrong = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`no_such_field_${at}`, at]));
      const body = JSON.stringify(Array.from({ length: 5_000 }, () => wrong));
      return () => ({ query: { dry_run: '1' }, body });
    },
  },
  {
    operation: 'importVehicles',
    variant: 'stored',
    does: '5,000 new vehicles in each call, of 1,500 bytes each',
    connections: 6,
    calls:
      ({ depot }) =>
      (at) => ({
        body: Array.from({ length: 5_000 }, (_, index) => ({
          ...{ terminal_id: `s${at}-${index}`, name: 'x'.repeat(120), group_ids: [depot.group_id] },
          attributes: { note: 'x'.repeat(1_200) },
        })),
      }),
  },
  {
    operation: 'getVehicle',
    does: 'one after another',
    calls:
      ({ depot }) =>
      (at) => ({
        params: { vehicle: depot.vehicles[at % depot.vehicles.length]?.terminal_id ?? '' },
      }),
  },
  {
    operation: 'patchVehicle',
    does: '16 kB of attributes, others each time',
    calls: ({ depot }) => {
      const bodies = ['x', 'y'].map((letter) => JSON.stringify({ attributes: heavyAttributes(letter) }));
      return (at) => ({
        params: { vehicle: depot.vehicles[at % depot.vehicles.length]?.vehicle_id ?? '' },
        body: bodies[at % 2],
      });
    },
  },
  {
    operation: 'changeVehicleGroups',
    does: '500 vehicles in and out of a group, each published to all',
    calls:
      ({ depot }) =>
      (at) => ({
        body: {
          action: at % 2 === 0 ? 'remove' : 'add',
          group_id: depot.group_id,
          vehicle_ids: manyVehicles(depot, maxBulk),
        },
      }),
  },
  {
    operation: 'archiveVehicles',
    does: '500 vehicles, others each time, each published to all',
    calls:
      ({ depot }) =>
      (at) => ({
        body: {
          vehicle_ids: Array.from(
            { length: maxBulk },
            (_, index) =>
              depot.vehicles[(at * maxBulk + index + 1) % depot.vehicles.length]?.vehicle_id ?? unknownId,
          ),
        },
      }),
  },
  {
    operation: 'restoreVehicles',
    does: '500 vehicles that nobody archived',
    calls:
      ({ depot }) =>
      () => ({ body: { vehicle_ids: manyVehicles(depot, maxBulk) } }),
  },
  {
    operation: 'getVehicleClock',
    does: 'as often as may be',
    calls: always((field) => ({ params: { vehicle: oldest(field) } })),
  },
  {
    operation: 'countVehicleData',
    does: 'a year of a vehicle, counted',
    calls:
      ({ depot }) =>
      (at) => ({
        params: { vehicle: depot.vehicles[at % 3]?.vehicle_id ?? '' },
        query: lastDays(depot.now_ms, 366),
      }),
  },
  {
    operation: 'deleteVehicleData',
    does: 'a year of each vehicle, one after another',
    calls:
      ({ depot }) =>
      (at) => ({
        params: { vehicle: depot.vehicles[(at + 1) % depot.vehicles.length]?.vehicle_id ?? '' },
        query: lastDays(depot.now_ms, 366),
      }),
  },
  {
    operation: 'deleteVehicle',
    does: 'one after another, each published to all',
    calls:
      ({ depot }) =>
      (at) => ({ params: { vehicle: depot.vehicles[at + 1]?.vehicle_id ?? unknownId } }),
  },

  {
    operation: 'getTerminalConnection',
    does: 'as often as may be',
    calls: always((field) => ({ params: { vehicle: oldest(field) } })),
  },
  {
    operation: 'listTerminalCommands',
    does: 'a page of 1,000',
    calls: always((field) => ({ params: { vehicle: oldest(field) }, query: { limit: 1_000 } })),
  },
  {
    operation: 'sendTerminalCommand',
    does: 'the longest text, to a terminal that is off line, with a key each',
    calls: (field) => (at) => ({
      params: { vehicle: oldest(field) },
      headers: { 'Idempotency-Key': `${at}`.padEnd(200, 'k') },
      body: { kind: 'text', text: 'ä'.repeat(500), expires_in_s: 604_800 },
    }),
  },
  {
    operation: 'sendTerminalCommands',
    does: 'the longest text to 500 vehicles that are off line, with a key each',
    calls:
      ({ depot }) =>
      (at) => ({
        headers: { 'Idempotency-Key': `${at}`.padEnd(200, 'k') },
        body: {
          ...{ kind: 'text', text: 'ä'.repeat(500), expires_in_s: 604_800 },
          vehicle_ids: manyVehicles(depot, maxBulk),
        },
      }),
  },
  {
    operation: 'getTerminalCommand',
    does: 'one that is not there',
    calls: always((field) => ({ params: { vehicle: oldest(field), command_id: unknownId } })),
  },
  {
    operation: 'cancelTerminalCommand',
    does: 'as many as wait',
    async calls({ depot, keeper }) {
      const vehicle = depot.vehicles[1]?.vehicle_id ?? '';
      const ids = await Promise.all(
        Array.from({ length: 50 }, async () => {
          const sent = await keeper.post(`/api/v1/vehicles/${vehicle}/commands`, { kind: 'position' });
          return (sent.body as { command_id?: string }).command_id ?? unknownId;
        }),
      );
      return (at) => ({ params: { vehicle, command_id: ids[at % ids.length] ?? unknownId } });
    },
  },

  {
    operation: 'listLatestPositions',
    does: 'of all, as GeoJSON',
    calls: always({ query: { format: 'geojson' } }),
  },
  {
    operation: 'postPositions',
    does: '5,000 new positions of all vehicles, with alarms, each time later',
    connections: 3,
    calls:
      ({ depot }) =>
      (at) => ({
        body: {
          positions: Array.from({ length: maxPositions }, (_, index) => ({
            vehicle_id: depot.vehicles[index % depot.vehicles.length]?.vehicle_id,
            time: iso(depot.now_ms - 30 * 86_400_000 + (at * maxPositions + index) * 1_000),
            ...{
              lat: index % 2 === 0 ? 52.4 : 52.6,
              lon: 13.2 + (index % 500) / 1_000,
              speed_kmh: (index * 97) % 200,
            },
            ...{ ignition: index % 3 === 0, alarms: ['sos', 'power_cut', 'harsh_braking'], valid: true },
          })),
        },
      }),
  },
  {
    operation: 'listRejectedPositions',
    does: 'a page of 1,000, each refused with 8,000 bytes of attributes',
    async calls({ depot, keeper }) {
      const wrong = {
        vehicle_id: depot.vehicles[0]?.vehicle_id,
        ...{ time: iso(depot.now_ms), lat: 91, lon: 0 },
        attributes: { a: 'x'.repeat(2_000), b: 'x'.repeat(2_000), c: 'x'.repeat(2_000) },
      };
      await keeper.post('/api/v1/positions', { positions: Array.from({ length: 1_000 }, () => wrong) });
      return () => ({ query: { limit: 1_000 } });
    },
  },
  {
    operation: 'getVehicleTrack',
    does: '31 days, simplified',
    calls: always((field) => ({
      params: { vehicle: oldest(field) },
      query: { ...lastDays(field.depot.now_ms, 31), max_points: 20_000 },
    })),
  },
  {
    operation: 'getVehicleTrack',
    variant: 'unread',
    does: '31 days as GPX, whose answers nobody reads',
    unread: true,
    connections: 180,
    calls: always((field) => ({
      params: { vehicle: oldest(field) },
      query: { ...lastDays(field.depot.now_ms, 31), format: 'gpx' },
    })),
  },
  {
    operation: 'importVehicleTrack',
    does: 'files of 8 MB of GPX, 70,000 positions each, at other times each time',
    connections: 3,
    calls:
      ({ depot }) =>
      (at) => ({
        params: { vehicle: depot.vehicles[at % depot.vehicles.length]?.vehicle_id ?? '' },
        headers: { 'Content-Type': 'application/gpx+xml' },
        body: gpxOf(depot.now_ms - (at + 1) * 70_000_000, 70_000),
      }),
  },
  {
    operation: 'importVehicleTrack',
    variant: 'wrong',
    does: '90,000 rows of CSV, each rejected for another reason',
    connections: 3,
    calls(field) {
      const text = 'x'.repeat(50);
      const rows = Array.from({ length: 90_000 }, (_, at) => `${at}.13.2026 12:00,${at},north,${text}`);
      const body = ['time,lat,lon,speed', ...rows].join('\n');
      return () => ({
        params: { vehicle: oldest(field) },
        headers: { 'Content-Type': 'text/csv' },
        body,
      });
    },
  },
  {
    operation: 'getFleetTracks',
    does: '31 days of all',
    calls: always((field) => ({ query: lastDays(field.depot.now_ms, 31) })),
  },
  {
    operation: 'listUnknownTerminals',
    does: 'the last 1,000',
    async calls({ depot, keeper }) {
      const positions = Array.from({ length: 1_000 }, (_, at) => ({
        ...{ terminal_id: `unknown-${at}`, time: iso(depot.now_ms), lat: 52, lon: 13 },
      }));
      await keeper.post('/api/v1/positions', { positions });
      return () => ({ query: { limit: 1_000 } });
    },
  },
  {
    operation: 'openStream',
    does: '180 streams that are never read, while the fleet reports',
    unread: true,
    connections: 180,
    async calls({ depot, keeper }) {
      let at = 0;
      // One of each vehicle: a stream sends the newest alone, and to take many in is the attack `addPositions`.
      const positions = () =>
        depot.vehicles.map(({ vehicle_id }) => ({
          ...{ vehicle_id, time: iso(depot.now_ms + 1_000 + at++), lat: 52.5, lon: 13.4 },
          attributes: { note: 'x'.repeat(1_000) },
        }));
      await keeper.post('/api/v1/positions', { positions: positions() });
      const last = { query: {}, headers: {} };
      return (call) => {
        // The depot's own traffic meanwhile.
        if (call % 9 === 8)
          void keeper.post('/api/v1/positions', { positions: positions() }).catch(() => undefined);
        return last;
      };
    },
  },
];
