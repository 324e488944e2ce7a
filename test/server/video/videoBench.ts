import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { openCollections } from '../../../server/app/openCollections.ts';
import { settingsFields, type SettingsFields } from '../../../server/contract/settings.ts';
import type { Wording } from '../../../server/contract/texts/serverWords.ts';
import { newVehicle } from '../../../server/contract/vehicles.ts';
import type { User } from '../../../server/contract/users.ts';
import type { Task } from '../../../server/contract/video.ts';
import { createApi } from '../../../server/http/api.ts';
import { createHttpApp } from '../../../server/http/httpApp.ts';
import { createIdempotency } from '../../../server/http/idempotency.ts';
import { createCallLimits } from '../../../server/http/rateLimit.ts';
import { createAllowedHosts } from '../../../server/http/allowedHosts.ts';
import type { Viewer } from '../../../server/http/viewer.ts';
import { createSight } from '../../../server/notifications/sight.ts';
import { openDocument } from '../../../server/store/documents/Document.ts';
import { createRecoveryLog } from '../../../server/store/documents/recoveryLog.ts';
import { openStore } from '../../../server/store/openStore.ts';
import { emptyBatch, type TaskRow } from '../../../server/store/telemetry/rows.ts';
import { createVehicles } from '../../../server/vehicles/vehicles.ts';
import { createRenderService } from '../../../server/video/simulation/renderService.ts';
import { createMp4Service } from '../../../server/video/media/mp4Service.ts';
import { createOwnAddress } from '../../../server/video/ownAddress.ts';
import { secretsDocument } from '../../../server/video/profileRecord.ts';
import { placesBy } from '../../support/namedPlaces.ts';
import { createVideo, type VideoDeps } from '../../../server/video/videoService.ts';
import { createFakeClock, type FakeClock } from '../../support/fakeClock.ts';
import { callerFor, type Caller } from '../../support/testHost.ts';

const mineGroup = '10000000-0000-4000-8000-000000000001';
const otherGroup = '10000000-0000-4000-8000-000000000002';
export const api = '/service/vsvc/api';
const silent = pino({ level: 'silent' });

/** The video domain as the host runs it, with a hand-driven clock and viewers by name in the place of JWTs. */
export interface Bench {
  data: string;
  folder: string;
  clock: FakeClock;
  settings: SettingsFields;
  video: ReturnType<typeof createVideo>;
  store: Awaited<ReturnType<typeof openStore>>;
  vehicles: ReturnType<typeof createVehicles>;
  /** Every version of every task, as it was announced. */
  announced: TaskRow[];
  /** The tasks that ended, as they were published. */
  ended: TaskRow[];
  url: string;
  /** `dealer`, `writer` and `reader` (of the group mine), `stranger` (no video right), `outsider` (another group), `clipsOnly` (no right to vehicles and events). */
  as(name: string): Caller;
  /** Resolves with the task once its status is one of these. */
  until(taskId: string, ...statuses: string[]): Promise<TaskRow>;
  /** Resolves at the next change of a task. */
  changed(): Promise<void>;
  stop(): Promise<void>;
}

export interface BenchOptions extends Partial<
  Pick<
    VideoDeps,
    | 'clip'
    | 'isNeeded'
    | 'media'
    | 'readSpace'
    | 'patience'
    | 'trackSamples'
    | 'onProgress'
    | 'jt1078'
    | 'placesWithin'
  >
> {
  data?: string;
  clock?: FakeClock;
  settings?: Partial<SettingsFields>;
  ownPorts?: number[];
  /** Of all users. */
  wording?: Wording;
  beforeStart?: (bench: Pick<Bench, 'store' | 'folder'>) => Promise<void>;
}

export async function startVideoFixture(options: BenchOptions = {}): Promise<Bench> {
  const data = options.data ?? (await temporaryData());
  const clock = options.clock ?? createFakeClock();
  const settings: SettingsFields = {
    ...settingsFields.parse({ video_min_free_pct: 0, video_min_free_bytes: 0 }),
    ...options.settings,
  };
  const recoveries = await createRecoveryLog(data, { log: silent, clock });
  const shared = { folder: data, version: 1, recoveries, log: silent, clock };
  const secretsFile = await openDocument({
    ...shared,
    name: 'secrets',
    schema: secretsDocument,
    initial: { secrets: {} },
  });
  const store = await openStore({ folder: data, clock });
  const collections = await openCollections({ store, clock, log: silent });
  if (collections.groups.all().length === 0)
    await collections.groups.add([mineGroup, otherGroup].map((group_id) => ({ group_id, name: group_id })));
  const vehicles = createVehicles({
    collection: collections.vehicles,
    groupExists: () => true,
    clock,
  });
  if (vehicles.all().length === 0) await vehicles.add(fleet, viewerOf('dealer'));
  const folder = join(data, 'video');
  const announced: TaskRow[] = [];
  const endings: TaskRow[] = [];
  const listeners: (() => void)[] = [];
  const changed = () => new Promise<void>((resolve) => listeners.push(resolve));
  function announce(rows: readonly TaskRow[]): void {
    announced.push(...rows);
    for (const listener of listeners.splice(0)) listener();
  }
  const clip = createRenderService();
  const media = createMp4Service();
  const video = createVideo({
    store,
    acts: collections.acts,
    profiles: collections.profiles,
    secrets: secretsFile,
    vehicles,
    settings: () => settings,
    clock,
    log: silent,
    clip: options.clip ?? clip,
    media: options.media ?? media,
    trackSamples: options.trackSamples ?? (() => Promise.resolve([])),
    sight: {
      ...createSight({
        geofences: { get: () => undefined, sees: () => true },
        rules: { get: () => undefined, isOwn: () => true },
      }),
      geofenceName: (id) => (id === null ? null : 'Depot North'),
    },
    placesWithin: options.placesWithin ?? placesBy(),
    app_version: '1.2.3',
    wordingOf: () => options.wording ?? {},
    loginOf: (id) => names.find((name) => viewerOf(name).user.user_id === id) ?? null,
    isOwnAddress: createOwnAddress(() => options.ownPorts ?? []),
    folder,
    onChange: announce,
    async commitWithEvents(events, tasks, onStored) {
      await store.commit({ ...emptyBatch(), events, tasks });
      onStored();
      const ids = new Set(events.map((it) => it.details.task_id));
      endings.push(...tasks.filter((it) => ids.has(it.task_id)));
      announce(tasks);
    },
    ...(options.isNeeded === undefined ? {} : { isNeeded: options.isNeeded }),
    ...(options.readSpace === undefined ? {} : { readSpace: options.readSpace }),
    ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
    ...(options.patience === undefined ? {} : { patience: options.patience }),
    ...(options.jt1078 === undefined ? {} : { jt1078: options.jt1078 }),
  });
  await options.beforeStart?.({ store, folder });
  await video.start();
  const server = await serve(video, store, clock);

  let stopped = false;
  async function stop(): Promise<void> {
    if (stopped) return;
    stopped = true;
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    await video.close();
    await Promise.all([clip.close(), media.close()]);
    for (const it of [collections.acts, secretsFile, recoveries, store]) await it.close();
  }
  onTestFinished(stop);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    data,
    folder,
    clock,
    settings,
    video,
    store,
    vehicles,
    announced,
    ended: endings,
    url,
    as: (name) => callerFor(url, name),
    changed,
    async until(taskId, ...statuses) {
      for (;;) {
        const row = announced.findLast((it) => it.task_id === taskId);
        if (row !== undefined && statuses.includes(row.status)) return row;
        await changed();
      }
    },
    stop,
  };
}

async function serve(video: Bench['video'], store: Bench['store'], clock: FakeClock): Promise<Server> {
  const api = createApi({
    idempotency: createIdempotency({ store, key: new Uint8Array(32) }),
    checkReplies: true,
  });
  video.addRoutes(api);
  const ownNames = createAllowedHosts({ tls: false, bound: '127.0.0.1', allowHosts: [] });
  const app = createHttpApp({
    api,
    routes: [],
    ownNames,
    identify: (request) => {
      const name = /^JWT (\w+)$/.exec(request.headers.authorization ?? '')?.[1];
      return Promise.resolve(
        name === undefined
          ? { kind: 'stranger', code: 'jwt_missing', detail: 'none' }
          : { kind: 'live', viewer: viewerOf(name) },
      );
    },
    onAdmitted: () => undefined,
    limits: createCallLimits({
      failed_attempts: 1e6,
      authorized_calls: 1e6,
      unauthorized_calls: 1e6,
      tiles: 1e6,
    }),
    isShown: () => false,
    clock,
    log: silent,
    pages: (_request, _response, next) => next(),
    hsts: false,
  });
  const server = createServer(app);
  await listen(server);
  ownNames.setPort((server.address() as AddressInfo).port);
  return server;
}

function listen(server: Server): Promise<void> {
  return new Promise((done) => server.listen(0, '127.0.0.1', done));
}

const fleet = [
  newVehicle.parse({ terminal_id: '0700', name: 'V 7', plate: 'ÄB 123', group_ids: [mineGroup] }),
  newVehicle.parse({ terminal_id: '0800', name: 'V 8', group_ids: [mineGroup] }),
  newVehicle.parse({ terminal_id: '0900', name: 'V 9', group_ids: [otherGroup] }),
];

const names = ['dealer', 'writer', 'reader', 'stranger', 'outsider', 'clipsOnly'];

export function viewerOf(name: string): Viewer {
  const users: Record<string, Partial<User>> = {
    dealer: { role: 'dealer' },
    writer: { group_ids: [mineGroup], rights: rightsWith('write') },
    reader: { group_ids: [mineGroup], rights: rightsWith('read') },
    stranger: { group_ids: [mineGroup], rights: rightsWith('none') },
    outsider: { group_ids: [otherGroup], rights: rightsWith('write') },
    clipsOnly: {
      group_ids: [mineGroup],
      rights: { ...rightsWith('read'), vehicles: 'none', notifications: 'none' },
    },
  };
  const at = '2026-01-01T00:00:00.000Z';
  const place = names.indexOf(name);
  return {
    user: {
      user_id: `20000000-0000-4000-8000-00000000000${place}`,
      login: name,
      name: null,
      email: null,
      role: 'user',
      rights: rightsWith('none'),
      group_ids: [],
      blocked: false,
      version: 1,
      created_at: at,
      updated_at: at,
      ...users[name],
    },
    session_id: '30000000-0000-4000-8000-000000000001',
    expires_ms: Number.MAX_SAFE_INTEGER,
  };
}

function rightsWith(video: 'none' | 'read' | 'write'): User['rights'] {
  return { vehicles: 'read', geofences: 'read', notifications: 'read', reports: 'read', video };
}

async function temporaryData(): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'fleetdeck-video-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  return data;
}

/** A camera: a real HTTP server with configured answers. */
export interface Camera {
  url: string;
  port: number;
  /** `GET /path?query` of each request, in order. */
  requests: string[];
  requested: IncomingMessage[];
  answer: RequestListener;
  /** Resolves when so many requests have come since the start. */
  asked(count: number): Promise<void>;
  /** Not reachable any more. */
  goAway(): Promise<void>;
  /** On the same port again. */
  comeBack(): Promise<void>;
}

export async function startCamera(answer: RequestListener): Promise<Camera> {
  let waiting: (() => void)[] = [];
  let server = createServer(handle);
  await listen(server);
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => close());

  function handle(request: IncomingMessage, response: ServerResponse): void {
    camera.requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    camera.requested.push(request);
    for (const wake of waiting.splice(0)) wake();
    camera.answer(request, response);
  }

  async function close(): Promise<void> {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }

  const camera: Camera = {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: [],
    requested: [],
    answer,
    async asked(count) {
      while (camera.requests.length < count) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      waiting = [];
    },
    goAway: close,
    async comeBack() {
      server = createServer(handle);
      await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
    },
  };
  return camera;
}

export function videoAnswer(bytes: Buffer): RequestListener {
  return (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'video/mp4', 'Content-Length': bytes.length });
    response.end(bytes);
  };
}

/** Gives a vehicle a camera at `url`; answers the profile's id. */
export async function addProfile(
  bench: Bench,
  connection: object,
  more: { terminal_id?: string; kind?: string; channels?: object[] } = {},
): Promise<string> {
  const answer = await bench.as('dealer').post(`${api}/profiles`, {
    terminal_id: '0700',
    kind: 'http',
    channels: [
      { channel: 1, name: 'Front' },
      { channel: 2, name: 'Cabin' },
    ],
    connection,
    ...more,
  });
  if (answer.status !== 201) throw new Error(answer.text);
  return (answer.body as { profile_id: string }).profile_id;
}

/** A request for ten seconds that ended a minute before the clock's now. */
export function fragment(bench: Pick<Bench, 'clock'>, profile_id: string, more: object = {}) {
  const now = bench.clock.now();
  return {
    profile_id,
    channel: 1,
    from: new Date(now - 70_000).toISOString(),
    to: new Date(now - 60_000).toISOString(),
    ...more,
  };
}

export async function order(bench: Bench, profile_id: string, more: object = {}): Promise<Task> {
  const answer = await bench.as('writer').post(`${api}/tasks`, fragment(bench, profile_id, more));
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body as Task;
}
