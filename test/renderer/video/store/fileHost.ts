import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { problems, type Problem, type ProblemCode } from '../../../../server/contract/problem.ts';
import { videoRoutes } from '../../../../server/contract/video.ts';
import { createTransport, type Transport } from '../../../../renderer/api/transport.ts';
import type { Clock } from '../../../../renderer/clock/clock.ts';

export interface FileHost {
  /** What each request asked for. */
  asked: { taskId: string; range: string | null }[];
  put(taskId: string, bytes: Buffer): void;
  /** The next answers end after so many bytes, one number for each. */
  breakAfter(...bytes: number[]): void;
  /** The next answers stop after so many bytes and keep the connection. */
  stallAfter(...bytes: number[]): void;
  /** All answers are this error until null. */
  refuse(code: ProblemCode | null): void;
  /** Sends other bytes than the ETag names, so many times. */
  corrupt(times: number): void;
  /** Calls while `true` wait for their answer. */
  holdBack(on: boolean): void;
  ask: (taskId: string, headers: Record<string, string>, signal: AbortSignal) => Promise<Response>;
  close(): Promise<void>;
}

export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A real server for the files of tasks, with faults to be asked for, and the console's own way to call it. */
export async function startFileHost(clock: Clock): Promise<FileHost> {
  const files = new Map<string, Buffer>();
  const asked: FileHost['asked'] = [];
  let breaks: number[] = [];
  let stalls: number[] = [];
  let refusal: ProblemCode | null = null;
  let corruptions = 0;
  let release: (() => void) | null = null;
  let gate: Promise<void> = Promise.resolve();

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const transport: Transport = createTransport({ fetch, clock, baseUrl: `http://127.0.0.1:${port}` });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const taskId = request.url?.split('/').at(-1) ?? '';
    const range = request.headers.range ?? null;
    asked.push({ taskId, range });
    await gate;
    const bytes = files.get(taskId);
    if (refusal !== null || bytes === undefined) {
      const code = refusal ?? 'not_found';
      const { status, title } = problems[code];
      const body: Problem = { type: 'about:blank', title, status, detail: title, code, request_id: 'r1' };
      response.writeHead(status, { 'Content-Type': 'application/problem+json' }).end(JSON.stringify(body));
      return;
    }
    const etag = `"${sha256Of(bytes)}"`;
    const wanted = /^bytes=(\d+)-$/.exec(range ?? '')?.[1];
    const start = wanted !== undefined && request.headers['if-range'] === etag ? Number(wanted) : 0;
    const rest = Buffer.from(bytes.subarray(start));
    if (corruptions > 0) {
      corruptions -= 1;
      rest.fill(0);
    }
    response.writeHead(start > 0 ? 206 : 200, {
      'Content-Type': 'video/mp4',
      'Content-Length': rest.length,
      ETag: etag,
      ...(start > 0 ? { 'Content-Range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` } : {}),
    });
    const cut = breaks.shift();
    const stall = stalls.shift();
    if (cut !== undefined) response.write(rest.subarray(0, cut), () => response.destroy());
    else if (stall !== undefined) response.write(rest.subarray(0, stall));
    else response.end(rest);
  }

  return {
    asked,
    put: (taskId, bytes) => void files.set(taskId, bytes),
    breakAfter: (...bytes) => void (breaks = bytes),
    stallAfter: (...bytes) => void (stalls = bytes),
    refuse: (code) => void (refusal = code),
    corrupt: (times) => void (corruptions = times),
    holdBack(on) {
      if (on) gate = new Promise((resolve) => (release = resolve));
      else release?.();
    },
    ask: (task_id, headers, signal) =>
      transport.send(videoRoutes.file, { params: { task_id }, signal }, headers),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
