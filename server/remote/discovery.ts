import { createSocket, type Socket } from 'node:dgram';
import createMulticastDns, { type MulticastDNS } from 'multicast-dns';
import { systemClock, type Clock } from '../clock.ts';

/** RFC 6763, 7. */
const service = '_fleetdeck._tcp.local';
/** RFC 6762, 10: of records that name a machine. */
const ttlS = 120;
/** RFC 6762, 6: a record is not sent again within a second. */
const answerEveryMs = 1_000;
/** RFC 6762, 17. */
const maxMessageBytes = 9_000;
/** Of other machines, of whatever kind; more would keep the host from its work. */
const maxMessagesPerSecond = 100;
const maxFound = 32;
const maxRecords = 64;
const maxNameChars = 60;
const lookForMs = 3_000;
const askAgainMs = 1_000;

/** What is said and heard; other than the network's in tests. */
export interface DiscoveryNetwork {
  port?: number;
  /** The address of the interface, and what to listen on; all of them when left out. */
  interface?: string;
  bind?: string;
}

interface DiscoveryDeps {
  clock: Pick<Clock, 'after' | 'monotonic'>;
  network?: DiscoveryNetwork;
}

/** A host that has announced itself. Whoever can send on this network can say this: nothing of it is trusted. */
export interface FoundHost {
  name: string;
  url: string;
}

/** Announces a host by multicast DNS to whoever asks for hosts on this network; returns its end. */
export function announceHost(
  host: {
    instanceId: string;
    port: number;
    tls: boolean;
    name: () => string;
    addresses: () => readonly string[];
  },
  deps: DiscoveryDeps & { warn: (error: Error) => void },
): () => Promise<void> {
  const instance = `fleetdeck-${host.instanceId.slice(0, 8)}.${service}`;
  const target = `fleetdeck-${host.instanceId.slice(0, 8)}.local`;
  const mdns = open(deps, deps.warn);
  let answered_ms = -Infinity;

  function answer(ttl: number, done?: () => void): void {
    mdns.respond(
      {
        answers: [{ name: service, type: 'PTR', ttl, data: instance }],
        additionals: [
          { name: instance, type: 'SRV', ttl, data: { port: host.port, target } },
          {
            name: instance,
            type: 'TXT',
            ttl,
            data: [`tls=${host.tls ? 1 : 0}`, `name=${shortened(host.name())}`],
          },
          ...host.addresses().map((data) => ({ name: target, type: 'A' as const, ttl, data })),
        ],
      },
      done,
    );
  }

  mdns.on('query', ({ questions = [] }) => {
    const isAsked = questions
      .slice(0, maxRecords)
      .some(({ name, type }) => ['PTR', 'ANY'].includes(type) && name.toLowerCase() === service);
    if (!isAsked || deps.clock.monotonic() - answered_ms < answerEveryMs) return;
    answered_ms = deps.clock.monotonic();
    answer(ttlS);
  });
  return () =>
    new Promise((resolve) => {
      // RFC 6762, 10.1: it is gone.
      answer(0, () => mdns.destroy(resolve));
    });
}

/**
 * Asks this network for hosts, for 3 seconds. Each is at the address that its answer came from; at most 32.
 * Rejects with the system's error where multicast cannot be used.
 */
export function lookForHosts(
  { clock, network }: DiscoveryDeps = { clock: systemClock },
): Promise<FoundHost[]> {
  return new Promise((resolve, reject) => {
    const found = new Map<string, FoundHost>();
    const undo: (() => void)[] = [];
    const end = (act: () => void) => {
      for (const stop of undo.splice(0)) stop();
      mdns.destroy();
      act();
    };
    const finish = () => end(() => resolve([...found.values()].slice(0, maxFound)));
    const mdns = open({ clock, ...(network !== undefined && { network }) }, (error) =>
      end(() => reject(error)),
    );
    mdns.on('response', ({ answers = [], additionals = [] }, { address }) => {
      const records = [...answers, ...additionals].slice(0, maxRecords);
      for (const record of records) {
        if (record.type !== 'SRV' || !record.name.toLowerCase().endsWith(`.${service}`)) continue;
        const { port } = record.data;
        if (port === 0 || record.ttl === 0) continue;
        const texts = records.flatMap((it) =>
          it.type === 'TXT' && it.name === record.name ? [it.data].flat() : [],
        );
        const valueOf = (key: string) =>
          texts
            .map(String)
            .find((it) => it.startsWith(`${key}=`))
            ?.slice(key.length + 1);
        const url = `${valueOf('tls') === '0' ? 'http' : 'https'}://${address}:${port}`;
        found.set(url, { name: shortened(valueOf('name') ?? '') || address, url });
      }
      if (found.size >= maxFound) finish();
    });
    const ask = () => mdns.query({ questions: [{ name: service, type: 'PTR' }] });
    undo.push(clock.after(askAgainMs, ask), clock.after(lookForMs, finish));
    ask();
  });
}

/** For the screen, and for one string of a TXT record (255 bytes). */
function shortened(name: string): string {
  // Control characters, and those that turn the direction of writing.
  return name
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
    .trim()
    .slice(0, maxNameChars);
}

function open({ clock, network }: DiscoveryDeps, onError: (error: Error) => void): MulticastDNS {
  const socket = limited(createSocket({ type: 'udp4', reuseAddr: true }), clock);
  return createMulticastDns({ ...network, socket }).on('error', onError);
}

/** Drops what is too long or too much before it is parsed: anybody on the network may send. */
function limited(socket: Socket, clock: Pick<Clock, 'monotonic'>): Socket {
  const emit = socket.emit.bind(socket) as (event: string, ...args: unknown[]) => boolean;
  let begun_ms = 0;
  let count = 0;
  const mayRead = (message: unknown): boolean => {
    const now_ms = clock.monotonic();
    if (now_ms - begun_ms >= 1_000) [begun_ms, count] = [now_ms, 0];
    count += 1;
    return count <= maxMessagesPerSecond && Buffer.isBuffer(message) && message.length <= maxMessageBytes;
  };
  return Object.assign(socket, {
    emit: (event: string, ...args: unknown[]) =>
      event === 'message' && !mayRead(args[0]) ? false : emit(event, ...args),
  });
}
