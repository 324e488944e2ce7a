import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { apiRoutes } from '../../server/contract/api.ts';
import type { Route } from '../../server/contract/route.ts';
import { serviceRoutes } from '../../server/contract/settings.ts';
import { contractLimits } from '../../server/http/rateLimit.ts';
import { logIn, pathOf, type ApiClient } from '../support/caller.ts';
import { dealerLogin, dealerPassword } from '../support/testHost.ts';
import { startAttackedHost, type AttackedHost } from './attackedHost.ts';
import { nameOf, type Attack, type Call, type Field, type OperationAttack } from './attack.ts';
import { startBystanders } from './bystanders.ts';
import { bystanderLogins, keeperLogin, loginWith, powerlessLogin, type StoredDepot } from './depot.ts';

/** What became of a host and of those who use it while it was attacked. */
export interface Outcome {
  name: string;
  does: string;
  calls: number;
  /** How often each status, or each way to be cut off, was seen; what was not answered is `open`. */
  statuses: Readonly<Record<string, number>>;
  /** How long others waited for `/me`, in milliseconds. */
  quietP99Ms: number;
  p50_ms: number;
  p99_ms: number;
  memory_MB: number;
  mainThreadS: number;
  /** The longest that the event loop was held up. */
  delay_ms: number;
  /** What the host held open at the end of the attack, and once it was over; null: it did not say. */
  during: HeldOpen | null;
  after: HeldOpen | null;
  /** How the host ended; null: it lives. */
  death: string | null;
}

/** By the host's own count. */
export interface HeldOpen {
  streams: number;
  /** Of terminals, at all ports. */
  connections: number;
}

export const target = { p99_ms: 250, memory_MB: 300 };

export function meetsTarget({ death, p99_ms, memory_MB }: Outcome): boolean {
  return death === null && p99_ms < target.p99_ms && memory_MB < target.memory_MB;
}

const standardConnections = 30;
const status_ms = 5_000;
/** What calls set off shows itself in this time after the last answer. */
const after_ms = 2_000;
/** A host that does not come to rest in this time is as good as dead. */
const patience_ms = 60_000;

/**
 * Runs an attack against a host of its own: for so long, or until all calls that a minute permits are answered. They
 * are sent at once, so that more time would only dilute what they do to others.
 */
export async function runAttack(depot: StoredDepot, attack: Attack, seconds: number): Promise<Outcome> {
  const host = await startAttackedHost(depot.folder);
  try {
    const login = (name: string) => logIn(host.url, name, dealerPassword);
    const keeper = await login(keeperLogin);
    const attacker = 'operation' in attack ? await login(attackerOf(routeOf(attack))) : keeper;
    const bystanders = await Promise.all(bystanderLogins.map(login));
    const field: Field = { url: host.url, intake: host.intake, depot, keeper, attacker, login };
    const attackBegins = await prepare(attack, field);
    return await watch({ host, attack, bystanders, attackBegins, keeper, seconds });
  } finally {
    await host.close();
  }
}

type Begin = (note: (outcome: string) => void, signal: AbortSignal) => Promise<void>;

async function prepare(attack: Attack, field: Field): Promise<Begin> {
  if ('run' in attack) return (note, signal) => attack.run(field, note, signal);
  const calls = await attack.calls(field);
  return (note, signal) => callOften(attack, calls, field, note, signal);
}

/** Of a host that is busy, or gone, nothing is known. */
async function askHeldOpen(keeper: ApiClient): Promise<HeldOpen | null> {
  const answer = keeper.ask(serviceRoutes.status).catch(() => null);
  const status = await Promise.race([answer, pause(status_ms).then(() => null)]);
  if (status === null) return null;
  const listeners = Object.values(status.intake);
  return {
    streams: status.streams,
    connections: listeners.reduce((sum, listener) => sum + (listener?.connections ?? 0), 0),
  };
}

/** What is still open when all that is to close had time for it. */
async function askLeftOpen(keeper: ApiClient): Promise<HeldOpen | null> {
  const deadline = performance.now() + status_ms;
  for (;;) {
    const left = await askHeldOpen(keeper);
    if (left === null || left.streams + left.connections === 0 || performance.now() > deadline) return left;
    await pause(status_ms / 20);
  }
}

interface Watched {
  host: AttackedHost;
  attack: Attack;
  bystanders: readonly ApiClient[];
  attackBegins: Begin;
  keeper: ApiClient;
  seconds: number;
}

async function watch(watched: Watched): Promise<Outcome> {
  const { host, attack, bystanders, attackBegins, keeper, seconds } = watched;
  const others = await startBystanders({ url: host.url, jwts: bystanders.map((it) => it.jwt) });
  const statuses: Record<string, number> = {};
  try {
    const quiet_ms = Math.min(3_000, seconds * 500);
    await pause(quiet_ms);
    const quiet = percentiles(await others.times());
    const before = await host.sample(patience_ms);
    if (before === null)
      throw new Error(`the host did not live until the attack: ${host.death() ?? 'it is mute'}`);
    const first = host.samples.length;
    const aborting = new AbortController();
    const running = attackBegins(
      (outcome) => (statuses[outcome] = (statuses[outcome] ?? 0) + 1),
      aborting.signal,
    );
    const answered = 'run' in attack ? new Promise<void>(() => {}) : running.then(() => pause(after_ms));
    await Promise.race([pause(seconds * 1_000), diesFirst(host, seconds), answered]);
    const times = percentiles(await others.times());
    const during = await askHeldOpen(keeper);
    aborting.abort();
    await running;
    // What was begun is charged to the attack, though it lasts longer.
    const after = await host.sample(patience_ms);
    const samples = host.samples.slice(first);
    const last = after ?? samples.at(-1) ?? before;
    const peak_bytes =
      last.peak_rss_bytes > before.peak_rss_bytes
        ? last.peak_rss_bytes
        : Math.max(...samples.map((it) => it.rss_bytes), before.rss_bytes);
    return {
      ...{ name: nameOf(attack), does: attack.does, statuses },
      calls: Object.values(statuses).reduce((sum, count) => sum + count, 0),
      ...{ quietP99Ms: quiet.p99, p50_ms: times.p50, p99_ms: times.p99 },
      memory_MB: (peak_bytes - before.rss_bytes) / 1e6,
      mainThreadS: last.mainThreadS - before.mainThreadS,
      delay_ms: Math.max(0, ...samples.map((it) => it.delay_ms)),
      ...{ during, after: await askLeftOpen(keeper) },
      death: host.death() ?? (after === null ? `mute for ${patience_ms / 1_000} s` : null),
    };
  } finally {
    await others.end();
  }
}

async function diesFirst(host: AttackedHost, seconds: number): Promise<void> {
  const deadline = performance.now() + seconds * 1_000;
  while (host.death() === null && performance.now() < deadline) await pause(100);
}

export function percentiles(times: readonly number[]): { p50: number; p99: number } {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

export function routeOf({ operation }: OperationAttack): Route {
  const route = apiRoutes.find((it) => it.id === operation);
  if (route === undefined) throw new Error(`the contract has no operation ${operation}`);
  return route;
}

/** The login of one who has the least right that may send it. */
export function attackerOf({ access }: Route): string {
  if (access === 'dealer') return dealerLogin;
  return typeof access === 'string' ? powerlessLogin : loginWith(access.right, access.level);
}

/** Sends as often as the limits let, as quickly as it can: an attacker that waits between calls does less harm. */
async function callOften(
  attack: OperationAttack,
  calls: (at: number) => Call,
  field: Field,
  note: (outcome: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const route = routeOf(attack);
  const isOpen = route.access === 'anybody';
  const { addresses = 4, perAddress = contractLimits.unauthorized_calls, max = Infinity } = attack;
  const count = Math.min(max, isOpen ? addresses * perAddress : contractLimits.authorized_calls);
  const connections = Math.min(attack.connections ?? standardConnections, count);
  const agents = Array.from(
    { length: isOpen ? addresses : 1 },
    (_, at) =>
      new Agent({
        keepAlive: true,
        ...(isOpen ? { localAddress: `127.0.0.${at + 10}` } : {}),
      }),
  );
  let next = 0;
  const one = async () => {
    while (next < count && !signal.aborted) {
      const at = next++;
      const agent = agents[at % agents.length];
      const outcome = await send(
        { route, call: calls(at), field, agent, unread: attack.unread === true, isOpen },
        signal,
      );
      note(outcome);
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  for (const agent of agents) agent.destroy();
}

interface Sent {
  route: Route;
  call: Call;
  field: Field;
  agent: Agent | undefined;
  unread: boolean;
  isOpen: boolean;
}

/** Answers the status, why there was none, or `open` for one that was not answered in time. */
function send({ route, call, field, agent, unread, isOpen }: Sent, signal: AbortSignal): Promise<string> {
  const { body } = call;
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const headers = {
    ...(isOpen ? {} : { Authorization: `JWT ${field.attacker.jwt}` }),
    ...(text === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
    ...call.headers,
  };
  return new Promise((resolve) => {
    const sent = request(
      `${field.url}${pathOf(route, call)}`,
      { method: route.method, headers, signal, ...(agent === undefined ? {} : { agent }) },
      (answer) => {
        const status = String(answer.statusCode);
        const settle = () => resolve(status);
        answer.on('error', settle).on('end', settle).on('close', settle);
        // One that is complete and unread when the host closes its connection would never end.
        if (unread) signal.addEventListener('abort', settle, { once: true });
        else answer.resume();
      },
    );
    sent.on('error', (error: NodeJS.ErrnoException) =>
      resolve(signal.aborted ? 'open' : (error.code ?? 'error')),
    );
    sent.end(text);
  });
}
