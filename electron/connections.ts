import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import type { Logger } from 'pino';
import {
  causeOf,
  lookForHosts,
  probeHost,
  startRemoteConsole,
  type FoundHost,
  type Probe,
  type RemoteConsole,
} from '../server/app.ts';
import type { Connections, NewConnection, SavedConnection } from './bridge/channels.ts';
import type { DesktopServices } from './ipc.ts';
import { isPortFree as isPortOfMachineFree } from './ports.ts';
import { ShellError } from './shellError.ts';
import { readStateFile, writeKept } from './stateFile.ts';

const MOST_CONNECTIONS = 32;
/** Of the consoles of remote hosts: away from the host's own and its stand-ins, below what systems hand out. */
const FIRST_PORT = 8_500;
/** One for each connection, and as many in place of those that other programs hold. */
const PORTS = Array.from({ length: 2 * MOST_CONNECTIONS }, (_, place) => FIRST_PORT + place);

const saved = z.object({
  id: z.string().regex(/^[a-z\d]{1,16}$/),
  name: z.string().min(1).max(200),
  url: z.url({ protocol: /^https?$/ }).max(300),
  fingerprint: z
    .string()
    .regex(/^[\dA-F]{2}(:[\dA-F]{2}){31}$/)
    .nullable(),
  insecure: z.boolean(),
  port: z.int().min(1).max(65_535),
});
type Saved = z.infer<typeof saved>;

const state = z.object({
  connections: z.array(saved).max(MOST_CONNECTIONS),
  /** The connection that is open; null: this computer's own depot. */
  last: z.string().nullable(),
  startsOwnDepot: z.boolean(),
});
type State = z.infer<typeof state>;

export interface ConnectionDeps {
  /** Where the connections are kept. */
  file: string;
  /** `startRemoteConsole`, with what does not differ between connections. */
  start: (
    connection: { id: string; name: string; url: URL; fingerprint: string | null; insecure: boolean },
    port: number,
  ) => Promise<RemoteConsole>;
  probe: (asked: { url: string; fingerprint: string | null; insecure: boolean }) => Promise<Probe>;
  /** `lookForHosts` of the server. */
  look: () => Promise<FoundHost[]>;
  isPortFree: (port: number) => Promise<boolean>;
  warn: (words: string, error?: unknown) => void;
}

/**
 * The hosts that this computer connects to: saved, and each with a local console at an origin of its own while it is in
 * use. No password is kept.
 */
export function createConnections(deps: ConnectionDeps) {
  const { file, start, probe, look, isPortFree, warn } = deps;
  let current = readState();
  /** Origin of the own host; null while it does not run. */
  let ownUrl: string | null = null;
  let looking: Promise<FoundHost[]> | null = null;
  const running = new Map<string, Promise<RemoteConsole>>();
  const origins = new Map<string, string>();

  function readState(): State {
    const kept = readStateFile(file);
    const read = state.safeParse(kept);
    if (read.success) return read.data;
    if (kept !== null) warn('the saved connections could not be read; starting without them');
    return { connections: [], last: null, startsOwnDepot: true };
  }

  function write(next: State): void {
    writeKept(file, next);
    current = next;
  }

  const find = (id: string): Saved => {
    const found = current.connections.find((it) => it.id === id);
    if (found === undefined) throw new ShellError(causeOf('shell.connection_removed'));
    return found;
  };

  async function close(id: string): Promise<void> {
    const console = running.get(id);
    running.delete(id);
    origins.delete(id);
    // One that could not start has said so to whoever opened it.
    await console?.then((it) => it.close()).catch(() => undefined);
  }

  async function startFor(connection: Saved): Promise<RemoteConsole> {
    const { port, ...rest } = connection;
    const others = new Set(current.connections.map((it) => it.port));
    const stands = PORTS.filter((it) => !others.has(it));
    for (const candidate of [port, ...stands]) {
      if (!(await isPortFree(candidate))) continue;
      if (candidate !== port) warn(`port ${port} is in use; a remote console is at ${candidate} this time`);
      return start({ ...rest, url: new URL(rest.url) }, candidate);
    }
    throw new ShellError(
      causeOf('shell.no_free_port', {
        first: String(FIRST_PORT),
        last: String(FIRST_PORT + PORTS.length - 1),
      }),
    );
  }

  async function urlOf(id: string | null): Promise<string> {
    if (id === null) {
      if (ownUrl === null) throw new ShellError(causeOf('shell.no_own_depot'));
      return ownUrl;
    }
    const connection = find(id);
    const console = running.get(id) ?? startFor(connection);
    running.set(id, console);
    try {
      const { url } = await console;
      if (running.get(id) === console) origins.set(id, new URL(url).origin);
      return url;
    } catch (error) {
      running.delete(id);
      throw error;
    }
  }

  const isOwnOrigin = (origin: string) => ownUrl !== null && new URL(ownUrl).origin === origin;
  const idAt = (origin: string): string | null => [...origins].find(([, it]) => it === origin)?.[0] ?? null;

  function list(origin: string): Connections {
    return {
      items: current.connections.map(withoutPort),
      current: idAt(origin),
      ownDepot: { runs: ownUrl !== null, starts: current.startsOwnDepot },
    };
  }

  return {
    startsOwnDepot: () => current.startsOwnDepot,
    /** To be called once the own host runs. */
    setOwnUrl(url: string): void {
      ownUrl = url;
    },
    /** Where a start begins: the console that was open last; the own depot's where that one is gone. */
    async startUrl(): Promise<string> {
      const { last } = current;
      const isKnown = current.connections.some((it) => it.id === last);
      if (isKnown) return urlOf(last);
      return urlOf(ownUrl === null ? (current.connections[0]?.id ?? null) : null);
    },
    /** The local origins whose pages are the console's: the own host's, and those of connections in use. */
    isOurs: (origin: string): boolean => isOwnOrigin(origin) || idAt(origin) !== null,
    isOwnOrigin,
    list,
    probe,
    /** All who ask at once get one answer. */
    look(): Promise<FoundHost[]> {
      looking ??= look().finally(() => (looking = null));
      return looking;
    },
    /** Saves a connection; one to the same host gets these values, and its console starts anew. */
    async add(added: NewConnection): Promise<SavedConnection> {
      const url = new URL(added.url).origin;
      const before = current.connections.find((it) => it.url === url);
      if (before === undefined && current.connections.length >= MOST_CONNECTIONS)
        throw new ShellError(causeOf('shell.most_connections', { most: MOST_CONNECTIONS }));
      const taken = new Set(current.connections.map((it) => it.port));
      const connection = saved.parse({
        ...added,
        url,
        id: before?.id ?? randomBytes(6).toString('hex'),
        port: before?.port ?? PORTS.find((it) => !taken.has(it)),
      });
      const others = current.connections.filter((it) => it !== before);
      write({ ...current, connections: [...others, connection] });
      if (running.has(connection.id)) {
        // Its console goes on with these values at the same origin, to which the page that asks may belong.
        await close(connection.id);
        await urlOf(connection.id);
      }
      return withoutPort(connection);
    },
    rename(id: string, name: string, origin: string): Connections {
      const renamed = saved.parse({ ...find(id), name });
      write({
        ...current,
        connections: current.connections.map((it) => (it.id === id ? renamed : it)),
      });
      return list(origin);
    },
    async remove(id: string, origin: string): Promise<Connections> {
      find(id);
      if (idAt(origin) === id) throw new ShellError(causeOf('shell.connected_now'));
      const connections = current.connections.filter((it) => it.id !== id);
      write({
        connections,
        last: current.last === id ? null : current.last,
        // Something has to be there to start with.
        startsOwnDepot: current.startsOwnDepot || connections.length === 0,
      });
      await close(id);
      return list(origin);
    },
    /** The URL of the console of a connection, null: of the own depot; from then on a start begins there. */
    async open(id: string | null): Promise<string> {
      const url = await urlOf(id);
      write({ ...current, last: id });
      return url;
    },
    setStartsOwnDepot(starts: boolean, origin: string): Connections {
      if (!starts && current.connections.length === 0)
        throw new ShellError(causeOf('shell.needs_connection'));
      write({ ...current, startsOwnDepot: starts });
      return list(origin);
    },
    async close(): Promise<void> {
      await Promise.all([...running.keys()].map(close));
    },
  };
}

export type ConnectionService = ReturnType<typeof createConnections>;

function withoutPort({ port: _, ...connection }: Saved): SavedConnection {
  return connection;
}

/** What a page may ask of the connections (ipc.ts). */
export function connectionServices(connections: ConnectionService, show: (url: string) => void) {
  return {
    connections: ({ origin }) => connections.list(origin),
    probeHost: (_sender, asked) => connections.probe(asked),
    lookForHosts: () => connections.look(),
    addConnection: (_sender, added) => connections.add(added),
    renameConnection: ({ origin }, id, name) => connections.rename(id, name, origin),
    removeConnection: ({ origin }, id) => connections.remove(id, origin),
    async openConnection(_sender, id) {
      const url = await connections.open(id);
      show(url);
      return url;
    },
    startOwnDepot: ({ origin }, starts) => connections.setStartsOwnDepot(starts, origin),
  } satisfies Partial<DesktopServices>;
}

/** The connections of this computer, in the folder of this program's own files. */
export function openConnections(deps: {
  folder: string;
  consoleFolder: string;
  appVersion: string;
  log: Logger;
}): ConnectionService {
  const { folder, log, ...rest } = deps;
  return createConnections({
    file: join(folder, 'connections.json'),
    start: (connection, port) => startRemoteConsole({ connection, port, log, ...rest }),
    probe: (asked) => probeHost(asked),
    look: () => lookForHosts(),
    isPortFree: (port) => isPortOfMachineFree(port),
    warn: (words, error) => log.warn({ err: error }, words),
  });
}
