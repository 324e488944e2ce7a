import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { maxHistoryVehicles, maxValueDays, maxVehicleDays } from '../../../server/contract/history.ts';
import { maxVehiclesOfOrder, videoRoutes } from '../../../server/contract/video.ts';
import { always, type Field, type OperationAttack } from '../attack.ts';
import { manyVehicles, unknownId } from '../depot.ts';
import { iso, lastDays } from './accounts.ts';

export const tightest = {
  ...{ trip_radius_m: 10, trip_speed_kmh: 0, trip_stop_s: 10, trip_ignition_off_s: 0 },
  ...{ trip_gap_s: 60, trip_min_m: 0, idle_speed_kmh: 100, idle_s: 0 },
};
export const year = (field: Field) => lastDays(field.depot.now_ms, 366);
const file = ({ depot }: Field, at: number) => depot.task_ids[at % depot.task_ids.length] ?? '';
const ofProfile = (operation: string, does: string, more: object = {}): OperationAttack => ({
  operation,
  does,
  calls: always(({ depot }) => ({ params: { profile_id: depot.profile_id }, ...more })),
});
const ofTask = (operation: string, does: string): OperationAttack => ({
  operation,
  does,
  calls: (field) => (at) => ({ params: { task_id: file(field, at) } }),
});

/** Reports and videos. */
export const pastAndVideoAttacks: readonly OperationAttack[] = [
  ...(
    [
      ...['getSummaryReport', 'getDailyReport', 'getUtilisationReport', 'getHoursReport'],
      ...['getTripsReport', 'getStopsReport'],
    ] as const
  ).map((operation): OperationAttack => ({
    operation,
    does: 'a year of all, by the tightest numbers',
    calls: always((field) => ({ query: { ...year(field), ...tightest, tz: 'America/St_Johns' } })),
  })),
  {
    operation: 'getGeofenceVisitsReport',
    does: 'a year of all in all geofences',
    calls: always((field) => ({ query: { ...year(field), min_duration_s: 0 } })),
  },
  {
    operation: 'getOverspeedReport',
    does: 'a year of all, where every fix begins or ends a stretch',
    calls: always((field) => ({
      query: {
        ...{ ...year(field), limit_kmh: 30, overspeed_tolerance_kmh: 0 },
        ...{ overspeed_min_duration_s: 0, overspeed_clear_s: 0 },
      },
    })),
  },
  { operation: 'getEventsReport', does: 'a year of all', calls: always((field) => ({ query: year(field) })) },
  { operation: 'getVideoReport', does: 'a year of all', calls: always((field) => ({ query: year(field) })) },
  {
    operation: 'getTripsReport',
    variant: 'unread',
    does: 'a year of all as CSV, whose answers nobody reads',
    unread: true,
    connections: 180,
    calls: always((field) => ({ query: { ...year(field), ...tightest, format: 'csv' } })),
  },
  {
    operation: 'getTripsReport',
    variant: 'printed',
    does: 'a year of all as PDF, with as many rows and maps as there may be',
    calls: always((field) => ({ query: { ...year(field), ...tightest, format: 'pdf' } })),
  },
  {
    operation: 'getHoursReport',
    variant: 'workbook',
    does: 'a year of all as XLSX, in the most columns',
    calls: always((field) => ({ query: { ...year(field), ...tightest, format: 'xlsx' } })),
  },
  {
    operation: 'getPackedTracks',
    does: 'every fix of as many vehicle-days as a call may name, with eight further values',
    calls: always(({ depot }) => ({
      body: {
        vehicle_ids: depot.vehicles.slice(0, maxHistoryVehicles).map((it) => it.vehicle_id),
        ...lastDays(depot.now_ms, maxVehicleDays / maxHistoryVehicles),
        values: ['altitude_m', 'odometer_m', 'battery_pct', 'satellites', 'a', 'b', 'c', 'd'],
      },
    })),
  },
  {
    operation: 'getVehicleValues',
    does: 'all numbers of as many days as a call may name, each time of another vehicle',
    calls:
      ({ depot }) =>
      (at) => ({
        params: { vehicle: depot.vehicles[at % depot.vehicles.length]?.vehicle_id ?? unknownId },
        query: lastDays(depot.now_ms, maxValueDays),
      }),
  },
  {
    operation: 'getPastMoment',
    does: 'the whole fleet, each time another moment',
    calls:
      ({ depot }) =>
      (at) => ({ query: { at: iso(depot.now_ms - 86_400_000 - at * 60_000) } }),
  },

  { operation: 'listVideoProfiles', does: 'all', calls: always({ query: { limit: 1_000 } }) },
  {
    operation: 'createVideoProfile',
    does: 'cameras whose URL never answers, 32 channels each',
    async calls({ depot }) {
      const url = await silentServer();
      return (at) => ({
        body: {
          ...{ vehicle_id: depot.vehicles[at + 1]?.vehicle_id ?? unknownId, kind: 'http' },
          channels: Array.from({ length: 32 }, (_, index) => ({ channel: index + 1, name: 'x'.repeat(120) })),
          connection: { url: `${url}/{channel}/{from}/${'x'.repeat(1_900)}` },
        },
      });
    },
  },
  ofProfile('getVideoProfile', 'as often as may be'),
  {
    operation: 'patchVideoProfile',
    does: '32 channels, renamed to and fro',
    calls:
      ({ depot }) =>
      (at) => ({
        params: { profile_id: depot.profile_id },
        body: {
          channels: Array.from({ length: 32 }, (_, index) => ({
            channel: index + 1,
            name: `${at}`.padEnd(120, 'x'),
          })),
        },
      }),
  },
  {
    operation: 'deleteVideoProfile',
    does: 'as many as there are',
    async calls({ depot, keeper }) {
      const ids = await Promise.all(
        depot.vehicles.slice(1, 41).map(async ({ vehicle_id }) => {
          const made = await keeper.post('/service/vsvc/api/profiles', {
            ...{ vehicle_id, kind: 'simulated', channels: [{ channel: 1, name: 'front' }] },
          });
          return (made.body as { profile_id: string }).profile_id;
        }),
      );
      return (at) => ({ params: { profile_id: ids[at % ids.length] ?? unknownId } });
    },
  },
  {
    operation: 'listVideoRecordings',
    does: 'a day, asked of the terminal each time',
    calls: always((field) => ({
      params: { profile_id: field.depot.profile_id },
      query: lastDays(field.depot.now_ms, 1),
    })),
  },
  { operation: 'listVideoTasks', does: 'a page of 1,000', calls: always({ query: { limit: 1_000 } }) },
  {
    operation: 'createVideoTask',
    does: 'ten minutes each of another moment, with a key',
    calls:
      ({ depot }) =>
      (at) => ({
        headers: { 'Idempotency-Key': `${at}`.padEnd(200, 'k') },
        body: {
          ...{ profile_id: depot.profile_id, channel: 1 },
          ...{ from: iso(depot.now_ms - (at + 1) * 600_000), to: iso(depot.now_ms - at * 600_000) },
        },
      }),
  },
  {
    operation: 'createVideoTasks',
    does: 'a minute each of another moment, of 100 vehicles, with a key',
    calls:
      ({ depot }) =>
      (at) => ({
        headers: { 'Idempotency-Key': `${at}`.padEnd(200, 'k') },
        body: {
          vehicle_ids: manyVehicles(depot, maxVehiclesOfOrder),
          ...{ from: iso(depot.now_ms - (at + 1) * 60_000), to: iso(depot.now_ms - at * 60_000) },
        },
      }),
  },
  {
    operation: 'createVideoTask',
    variant: 'deafCamera',
    does: 'from a camera whose URL never answers',
    async calls({ depot, keeper }) {
      const made = await keeper.post('/service/vsvc/api/profiles', {
        ...{ vehicle_id: depot.vehicles[1]?.vehicle_id, kind: 'http', channels: [{ channel: 1, name: 'x' }] },
        connection: { url: `${await silentServer()}/{channel}` },
      });
      const { profile_id = unknownId } = made.body as { profile_id?: string };
      return (at) => ({
        body: {
          ...{ profile_id, channel: 1 },
          ...{ from: iso(depot.now_ms - (at + 1) * 600_000), to: iso(depot.now_ms - at * 600_000) },
        },
      });
    },
  },
  {
    operation: 'getVideoTask',
    does: 'waits a minute for a task that is not done, 180 at once',
    connections: 180,
    async calls({ depot, keeper }) {
      const made = await keeper.post('/service/vsvc/api/tasks', {
        ...{ profile_id: depot.profile_id, channel: 1 },
        ...{ from: iso(Date.now()), to: iso(Date.now() + 110_000) },
      });
      const { task_id } = made.body as { task_id: string };
      return () => ({ params: { task_id }, query: { wait: 60 } });
    },
  },
  {
    operation: 'patchVideoTask',
    does: 'marked as important and not, to and fro',
    calls: (field) => (at) => ({ params: { task_id: file(field, 0) }, body: { important: at % 2 === 0 } }),
  },
  ofTask('deleteVideoTask', 'one after another'),
  {
    operation: 'retryVideoTask',
    does: 'cancelled ones, one after another',
    max: 28,
    async calls({ depot, keeper }) {
      const task_ids: string[] = [];
      for (let at = 0; at < 28; at++) {
        const from_ms = depot.now_ms - 3_600_000 - at * 60_000;
        const body = {
          ...{ profile_id: depot.profile_id, channel: 1 },
          ...{ from: iso(from_ms), to: iso(from_ms + 60_000) },
        };
        const { task_id } = await keeper.ask(videoRoutes.createTask, { body });
        task_ids.push(task_id);
        await keeper.ask(videoRoutes.removeTask, { params: { task_id } });
      }
      return (at) => ({ params: { task_id: task_ids[at % task_ids.length] ?? '' } });
    },
  },
  ofTask('listVideoTaskAccess', 'one after another'),
  {
    operation: 'exportVideoEvidence',
    does: '32 videos in each archive, with the longest note',
    calls: always(({ depot }) => ({ query: { tasks: depot.task_ids.join(), note: 'x'.repeat(2_000) } })),
  },
  {
    operation: 'exportVideoEvidence',
    variant: 'unread',
    does: '180 archives that nobody reads',
    unread: true,
    connections: 180,
    calls: always(({ depot }) => ({ query: { tasks: depot.task_ids.join() } })),
  },
  {
    operation: 'getVideoTaskFile',
    does: 'byte by byte, with 1,000 ranges and 1,000 entity tags',
    calls: (field) => (at) => ({
      params: { task_id: file(field, at) },
      headers: { Range: `bytes=${'0-0,'.repeat(1_000)}0-0`, 'If-None-Match': '"a",'.repeat(1_000) },
    }),
  },
  {
    operation: 'getVideoTaskFile',
    variant: 'unread',
    does: '180 files that nobody reads',
    unread: true,
    connections: 180,
    calls: (field) => (at) => ({ params: { task_id: file(field, at) } }),
  },
];

/** Takes connections and says nothing. */
async function silentServer(): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => undefined).unref()).listen(0, '127.0.0.1');
  server.unref();
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
