import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { problems, type ProblemCode } from '../../../server/contract/problem.ts';
import { settings, settingsFields } from '../../../server/contract/settings.ts';
import { newTask, task, type Task } from '../../../server/contract/video.ts';
import { profile } from '../../../server/contract/videoProfiles.ts';
import { sampleTask } from './sampleTask.ts';
import { sha256Of } from './store/fileHost.ts';

export interface VideoHost {
  url: string;
  /** Tasks as the depot has them, by id. */
  tasks: Map<string, Task>;
  /** Files of tasks. */
  files: Map<string, Buffer>;
  /** Method and path of every call. */
  calls: string[];
  /** The list of tasks answers this error until null. */
  refuseList: ProblemCode | null;
  /** Calls about these tasks answer this error. */
  refused: Map<string, ProblemCode>;
  keys: (string | undefined)[];
  close(): Promise<void>;
}

const base = '/service/vsvc/api';
const at = '2026-11-19T11:00:00.000Z';

export const cameras = profile.parse({
  profile_id: '00000000-0000-4000-8000-0000000000aa',
  vehicle_id: sampleTask().vehicle_id,
  terminal_id: '1017',
  name: null,
  kind: 'simulated',
  channels: [
    { channel: 1, name: 'Front' },
    { channel: 2, name: 'Cabin' },
  ],
  connection: {},
  online: null,
  version: 1,
  created_at: at,
  updated_at: at,
});

/** As much of a depot as the video domain calls, over real HTTP; answers are of the contract. */
export async function startVideoHost(): Promise<VideoHost> {
  const host: Omit<VideoHost, 'url' | 'close'> = {
    tasks: new Map(),
    files: new Map(),
    calls: [],
    refuseList: null,
    refused: new Map(),
    keys: [],
  };

  const answer = (method: string, path: string, query: URLSearchParams, body: string): unknown => {
    if (path === '/api/v1/settings') {
      return settings.parse({
        ...settingsFields.parse({}),
        instance_id: 'depot',
        version: 1,
        updated_at: at,
        maps_version: 1,
        overridden: [],
      });
    }
    if (path === `${base}/profiles`) {
      return query.get('terminal_id') === cameras.terminal_id ? cameras : 'not_found';
    }
    if (path === `${base}/tasks` && method === 'POST') {
      const made = sampleTask(newTask.parse(JSON.parse(body)));
      host.tasks.set(made.task_id, made);
      return task.parse(made);
    }
    if (path === `${base}/tasks`)
      return host.refuseList ?? { items: [...host.tasks.values()], next_cursor: null };
    const id = path.split('/').at(-1) ?? '';
    return host.refused.get(id) ?? host.tasks.get(id) ?? 'not_found';
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://depot');
      host.calls.push(`${request.method ?? ''} ${pathname}`);
      if (request.method === 'POST') host.keys.push(request.headers['idempotency-key']?.toString());
      const file = pathname.startsWith(`${base}/tasks/file/`)
        ? host.files.get(pathname.split('/').at(-1) ?? '')
        : undefined;
      if (file !== undefined) {
        response.writeHead(200, { 'Content-Length': file.length, ETag: `"${sha256Of(file)}"` }).end(file);
        return;
      }
      const made = answer(request.method ?? '', pathname, searchParams, Buffer.concat(chunks).toString());
      const isProblem = typeof made === 'string';
      const problem = isProblem ? problems[made as ProblemCode] : null;
      response
        .writeHead(problem?.status ?? 200, { 'Content-Type': 'application/json' })
        .end(
          JSON.stringify(
            problem === null
              ? made
              : { type: 'about:blank', ...problem, detail: problem.title, code: made, request_id: 'r' },
          ),
        );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(host, {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
