/**
 * The local control socket of a running host: commands on the same machine ask it for what the REST API has no
 * operation for. Who may open it is decided by the operating system: its owner (and root) alone.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, lstat, mkdir, mkdtemp, readFile, realpath, rmdir } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, win32 } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Clock } from '../clock.ts';
import { controlLine, controlRequest, type ControlOperation } from '../contract/control.ts';
import type { FieldError, ProblemCode } from '../contract/problem.ts';
import { ApiError, invalidBy, ofStore } from '../http/apiError.ts';
import { asCaller, hostMachine } from '../store/caller.ts';
import { diskFiles, errorCode } from '../store/documents/Files.ts';
import { writeFileAtomically } from '../store/documents/writeFileAtomically.ts';

const LONGEST_REQUEST_BYTES = 64 * 1_024;
/** Connections, and operations whose client is gone. */
const MOST_AT_A_TIME = 4;
/** Refused ones too, which are closed as soon as their answer is read. */
const MOST_CONNECTIONS = 64;
const REQUEST_TIME_MS = 10_000;
/** To read the last line of an answer. */
const ANSWER_TIME_MS = 10_000;
/** For operations that are under way when the host closes. */
const CLOSING_GRACE_MS = 1_500;
const LONGEST_ANSWER_LINE_BYTES = 4 * 1_024 * 1_024;

const SOCKET_NAME = 'host.sock';
const SHORT_FOLDER = 'fleetdeck-';

/** What an operation has beside its request. */
export interface ControlRun {
  /** Sends a line `{progress}`; one that the client does not read fast enough is dropped. */
  progress: (report: object) => void;
  /** Aborts when the client goes away or the host closes. */
  signal: AbortSignal;
}

/** An operation as the host runs it. */
export interface RunnableOperation {
  operation: string;
  /** Throws `ApiError` for a request that is not of the operation's form. */
  run(request: unknown, under: ControlRun): Promise<unknown>;
}

/** Joins an operation of the contract with what the host does for it, on behalf of `hostMachine`. */
export function controlOperation<Request extends z.ZodType, Reply extends z.ZodType>(
  { operation, request }: ControlOperation<Request, Reply>,
  run: (request: z.output<Request>, under: ControlRun) => Promise<z.input<Reply>>,
): RunnableOperation {
  return {
    operation,
    async run(asked, under) {
      const parsed = request.safeParse(asked);
      if (!parsed.success) throw invalidBy(parsed.error, 'body');
      return asCaller(hostMachine, () => run(parsed.data, under));
    },
  };
}

/** Of the machine; passed in by tests. */
interface Surroundings {
  platform: NodeJS.Platform;
  /** Where a socket may lie when the data folder's path is too long for one. */
  runtimeFolder: string;
}

function ofThisMachine(): Surroundings {
  // The first is what systemd gives a service, and can be several folders; /tmp may be a service's own.
  const { RUNTIME_DIRECTORY, XDG_RUNTIME_DIR } = process.env;
  const given = [RUNTIME_DIRECTORY?.split(':')[0], XDG_RUNTIME_DIR].find(
    (it) => it !== undefined && it !== '',
  );
  return { platform: process.platform, runtimeFolder: given ?? tmpdir() };
}

/**
 * Where a host on this data folder listens if it can. On Unix a socket in a folder that only its owner may enter; on
 * Windows a named pipe, whose default security lets only its owner, administrators and the system write.
 *
 * @param folder absolute, symbolic links resolved
 */
export function controlAddress(folder: string, platform: NodeJS.Platform): string {
  if (platform !== 'win32') return join(folder, 'control', SOCKET_NAME);
  const name = win32.resolve(folder).toLowerCase();
  return `\\\\.\\pipe\\fleetdeck-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
}

/** `sun_path` with its final NUL: 108 bytes on Linux (unix(7)), 104 on macOS and the BSDs. */
function fitsSocket(path: string, platform: NodeJS.Platform): boolean {
  return Buffer.byteLength(path) < (platform === 'linux' ? 108 : 104);
}

/** Names the socket when it does not lie where `controlAddress` says. */
const addressFile = (folder: string) => join(folder, 'control', 'address');

export interface ControlSocketOptions {
  /** The data folder, which this host holds: what is left of a socket in it is of a host that was killed. */
  folder: string;
  operations: readonly RunnableOperation[];
  clock: Pick<Clock, 'after'>;
  log: Pick<Logger, 'error' | 'info'>;
  surroundings?: Surroundings;
}

/** Listens; resolves with its undo. @throws the system's error when no socket can be made */
export async function openControlSocket(options: ControlSocketOptions) {
  const { clock, log, surroundings = ofThisMachine() } = options;
  const folder = await realpath(options.folder);
  const operations = new Map(options.operations.map((it) => [it.operation, it]));
  const closing = new AbortController();
  const sockets = new Set<Socket>();
  const underWay = new Set<Promise<void>>();

  /** The last line. The client closes the connection, or has it closed. */
  function answer(socket: Socket, line: { result: unknown } | { error: Failure }): void {
    if (socket.writableEnded || socket.destroyed) return;
    socket.end(`${JSON.stringify(line)}\n`);
    const cancel = clock.after(ANSWER_TIME_MS, () => socket.destroy());
    socket.once('close', cancel);
  }

  /** Resolves with a request's line; rejects with why there is none. */
  function requestOf(socket: Socket, over: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      const refuse = (code: ProblemCode, detail: string) => reject(new ApiError(code, detail));
      const cancel = clock.after(REQUEST_TIME_MS, () =>
        refuse('malformed_json', `The request did not come within ${REQUEST_TIME_MS / 1_000} seconds.`),
      );
      socket.once('close', cancel);
      over.addEventListener('abort', () => refuse('unavailable', 'The host is shutting down.'), {
        once: true,
      });
      readLines(socket, {
        longest_bytes: LONGEST_REQUEST_BYTES,
        onLine: (line) => {
          cancel();
          resolve(line);
        },
        onTooLong: () => refuse('too_large', `A request has at most ${LONGEST_REQUEST_BYTES / 1_024} KiB.`),
      });
    });
  }

  async function serve(socket: Socket): Promise<void> {
    const gone = new AbortController();
    socket.once('close', () => gone.abort());
    const signal = AbortSignal.any([gone.signal, closing.signal]);
    try {
      const request = parseRequest(await requestOf(socket, signal));
      const operation = operations.get(request.operation);
      if (operation === undefined)
        throw new ApiError('not_found', `This host has no operation "${request.operation}".`);
      log.info({ operation: operation.operation }, 'control socket: operation started');
      const { operation: _, ...asked } = request;
      const result = await operation.run(asked, {
        progress(report) {
          if (socket.writable && !socket.writableNeedDrain)
            socket.write(`${JSON.stringify({ progress: report })}\n`);
        },
        signal,
      });
      answer(socket, { result: result ?? null });
    } catch (error) {
      const failure = failureOf(error);
      if (failure.code === 'internal') log.error({ err: error }, 'control socket: operation failed');
      answer(socket, { error: failure });
    }
  }

  function accept(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    const closed = once(socket, 'close').then(
      () => void sockets.delete(socket),
      () => void sockets.delete(socket),
    );
    if (underWay.size >= MOST_AT_A_TIME) {
      socket.resume();
      const detail = `The host serves ${MOST_AT_A_TIME} commands at a time; try again when one has ended.`;
      answer(socket, { error: { code: 'queue_full', detail } });
      return;
    }
    const work = Promise.all([serve(socket), closed]).then(() => void underWay.delete(work));
    underWay.add(work);
  }

  const server = createServer(accept);
  server.maxConnections = MOST_CONNECTIONS;
  const listening = await listen(server, folder, surroundings);
  server.on('error', (error) => log.error({ err: error }, 'control socket failed'));
  return {
    /** Of the socket or named pipe. */
    address: listening.address,
    /** Aborts what is under way, waits for it, but not long, and removes the socket. */
    async close(): Promise<void> {
      const ended = once(server, 'close');
      server.close();
      closing.abort();
      let cancel: () => void = () => undefined;
      const grace = new Promise<void>((over) => (cancel = clock.after(CLOSING_GRACE_MS, over)));
      void grace.then(() => sockets.forEach((socket) => socket.destroy()));
      await Promise.race([Promise.all(underWay), grace]);
      cancel();
      for (const socket of sockets) socket.destroy();
      await ended;
      await listening.remove();
    },
  };
}

interface Failure {
  code: ProblemCode;
  detail: string;
  errors?: FieldError[];
}

function failureOf(error: unknown): Failure {
  const known = error instanceof ApiError ? error : ofStore(error);
  if (known === null) return { code: 'internal', detail: 'Internal error; see the log of the host.' };
  const { code, message, faults } = known;
  return { code, detail: message, ...(faults === undefined ? {} : { errors: faults }) };
}

function parseRequest(line: string): z.output<typeof controlRequest> {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    throw new ApiError('malformed_json', 'The request is not one line of JSON.');
  }
  const request = controlRequest.safeParse(json);
  if (!request.success) throw invalidBy(request.error, 'body');
  return request.data;
}

/** Calls for each whole line; one that grows too long is the last, and what comes after it is dropped. */
function readLines(
  socket: Socket,
  to: { longest_bytes: number; onLine: (line: string) => void; onTooLong: () => void },
): void {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let isOver = false;
  socket.on('data', (chunk: Buffer) => {
    let rest = chunk;
    while (!isOver && rest.length > 0) {
      const end = rest.indexOf(0x0a);
      const piece = end < 0 ? rest : rest.subarray(0, end);
      bytes += piece.length;
      if (bytes > to.longest_bytes) {
        isOver = true;
        pieces = [];
        to.onTooLong();
        return;
      }
      pieces.push(piece);
      if (end < 0) return;
      const line = Buffer.concat(pieces).toString('utf8');
      rest = rest.subarray(end + 1);
      pieces = [];
      bytes = 0;
      to.onLine(line);
    }
  });
}

type Server = ReturnType<typeof createServer>;

async function listen(
  server: Server,
  folder: string,
  { platform, runtimeFolder }: Surroundings,
): Promise<{ address: string; remove: () => Promise<void> }> {
  const address = controlAddress(folder, platform);
  if (platform === 'win32') {
    await bind(server, address);
    return { address, remove: () => Promise.resolve() };
  }
  await makePrivate(dirname(address));
  await removeStale(folder);
  if (fitsSocket(address, platform)) {
    try {
      await bind(server, address);
      return { address, remove: () => removeAll(folder) };
    } catch (error) {
      // Some file systems hold no sockets: folders that a container shares with its host, say.
      if (!['ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'EPERM', 'EACCES'].includes(errorCode(error) ?? ''))
        throw error;
    }
  }
  const short = join(await mkdtemp(join(runtimeFolder, SHORT_FOLDER)), SOCKET_NAME);
  try {
    await writeFileAtomically(diskFiles, addressFile(folder), short, { backUp: false });
    await bind(server, short);
  } catch (error) {
    await diskFiles.remove(addressFile(folder));
    await removeShort(short);
    throw error;
  }
  return { address: short, remove: () => removeAll(folder) };
}

/** Its owner's alone from its first moment, whatever the process's umask. */
async function bind(server: Server, address: string): Promise<void> {
  const isPipe = address.startsWith('\\\\.\\pipe\\');
  // The file is made within `listen`. Threads may not set the mask; there the folder alone protects it.
  const before = isMainThread && !isPipe ? process.umask(0o077) : null;
  const listening = once(server, 'listening');
  try {
    server.listen(address);
  } finally {
    if (before !== null) process.umask(before);
  }
  await listening;
  if (!isPipe) await chmod(address, 0o600);
}

/** @throws Error when something else lies there, or a folder of somebody else's */
async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.())
    throw new Error(`${folder} is not a folder of the user who runs the host`);
  if ((found.mode & 0o777) !== 0o700) await chmod(folder, 0o700);
}

/** What a host left, this one or one that was killed. */
async function removeStale(folder: string): Promise<void> {
  await diskFiles.remove(controlAddress(folder, 'linux'));
  const elsewhere = await addressIn(folder);
  await diskFiles.remove(addressFile(folder));
  if (elsewhere !== null) await removeShort(elsewhere);
}

async function removeAll(folder: string): Promise<void> {
  await removeStale(folder);
  await removeEmpty(dirname(addressFile(folder)));
}

async function removeShort(socket: string): Promise<void> {
  const folder = dirname(socket);
  if (basename(socket) !== SOCKET_NAME || !basename(folder).startsWith(SHORT_FOLDER)) return;
  await diskFiles.remove(socket).catch(ignoreForeign);
  await removeEmpty(folder);
}

const removeEmpty = (folder: string): Promise<void> => rmdir(folder).catch(ignoreForeign);

/** Temporary folders are also emptied by others, and given to others. */
function ignoreForeign(error: unknown): void {
  if (!['ENOENT', 'ENOTEMPTY', 'EACCES', 'EPERM', 'ENOTDIR'].includes(errorCode(error) ?? '')) throw error;
}

/** Null when there is no such file. */
async function addressIn(folder: string): Promise<string | null> {
  try {
    return (await readFile(addressFile(folder), 'utf8')).trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** No host runs on the data folder, or it is one without a control socket. */
export class NoHost extends Error {
  override name = 'NoHost';

  constructor(folder: string) {
    super(`No host runs on the data folder ${folder}.`);
  }
}

/** The host's `error`, or what stands between the command and the host; the message is meant for whoever typed it. */
export class HostRefused extends Error {
  override name = 'HostRefused';
  readonly code: ProblemCode;

  constructor(code: ProblemCode, detail: string) {
    super(detail);
    this.code = code;
  }
}

/**
 * Asks the host that runs on the data folder, and resolves with its result. Waits as long as the operation takes.
 *
 * @throws {NoHost}, {HostRefused}, {ZodError} for a request or a result that is not of the operation's form
 */
export async function askHost<Request extends z.ZodType, Reply extends z.ZodType>(
  dataFolder: string,
  { operation, request, reply }: ControlOperation<Request, Reply>,
  asked: z.input<Request>,
  options: {
    onProgress?: (report: unknown) => void;
    /** Gives up; the host's operation hears of it. */
    signal?: AbortSignal;
    surroundings?: Pick<Surroundings, 'platform'>;
  } = {},
): Promise<z.output<Reply>> {
  const { onProgress = () => undefined, signal, surroundings = ofThisMachine() } = options;
  request.parse(asked);
  const line = JSON.stringify({ ...(asked as object), operation });
  const socket = await connect(dataFolder, surroundings.platform);
  const abort = (): void => void socket.destroy();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    signal?.throwIfAborted();
    const result = await new Promise<unknown>((resolve, reject) => {
      socket.on('error', () => undefined);
      socket.once('close', () =>
        reject(new HostRefused('unavailable', 'The host ended the connection before it answered.')),
      );
      readLines(socket, {
        longest_bytes: LONGEST_ANSWER_LINE_BYTES,
        onLine(text) {
          const answered = lineOf(text);
          if (answered === null) reject(new HostRefused('internal', 'The host gave no answer of the kind.'));
          else if ('progress' in answered) onProgress(answered.progress);
          else if ('result' in answered) resolve(answered.result);
          else reject(new HostRefused(answered.error.code, answered.error.detail));
        },
        onTooLong: () => reject(new HostRefused('too_large', 'The host answered more than was expected.')),
      });
      socket.write(`${line}\n`);
    });
    signal?.throwIfAborted();
    return reply.parse(result);
  } finally {
    signal?.removeEventListener('abort', abort);
    socket.destroy();
  }
}

function lineOf(text: string): z.output<typeof controlLine> | null {
  try {
    return controlLine.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

async function connect(dataFolder: string, platform: NodeJS.Platform): Promise<Socket> {
  try {
    const folder = await realpath(dataFolder);
    const elsewhere = platform === 'win32' ? null : await addressIn(folder);
    const socket = createConnection(elsewhere ?? controlAddress(folder, platform));
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    switch (errorCode(error)) {
      // What is too long for a socket has an address file while a host runs.
      case 'ENOENT':
      case 'ENOTDIR':
      case 'ECONNREFUSED':
      case 'EINVAL':
      case 'ENAMETOOLONG':
        throw new NoHost(dataFolder);
      case 'EACCES':
      case 'EPERM':
        throw new HostRefused('forbidden', `Only the user who runs the host on ${dataFolder} may do this.`);
      case 'EAGAIN':
        throw new HostRefused('queue_full', 'The host is busy; try again.');
      default:
        throw error;
    }
  }
}
