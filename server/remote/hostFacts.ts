import { request as httpRequest } from 'node:http';
import { z } from 'zod';
import { systemClock, type Clock } from '../clock.ts';
import { apiRoutes } from '../contract/api.ts';
import { setupStateRoute } from '../contract/auth.ts';
import type { Cause } from '../contract/causes.ts';
import { causeOf } from '../contract/causeTexts.ts';
import {
  CertificateChanged,
  CertificateUntrusted,
  CheckedAgent,
  Insecure,
  Unreachable,
} from './checkedConnection.ts';
import { NoHostUrl, readHostUrl, type RemoteHost } from './remoteHost.ts';

/** The description of the API is by far the longest: it has less than a megabyte. */
const maxAnswerBytes = 8 * 1024 * 1024;
/** All questions together. */
const askWithin_ms = 20_000;

/** How the API of a host compares with the one that this program's console speaks. */
export type ApiMatch = 'same' | 'older' | 'newer' | 'different';

export interface HostFacts {
  depotName: string;
  /** Of its program. */
  version: string;
  api: ApiMatch;
}

/** What is known of a host before it is connected to; each but `found` says why it was not asked further. */
export type Probe =
  | ({ state: 'found'; url: string; fingerprint: string | null } & HostFacts)
  /** Its certificate has to be confirmed; nothing was sent. */
  | { state: 'untrusted'; url: string; fingerprint: string }
  | { state: 'changed'; url: string; expected: string; found: string }
  /** It would be called without encryption; not even a connection was made. */
  | { state: 'insecure'; url: string }
  | { state: 'unreachable'; url: string; reason: string; causes: Cause[] }
  | { state: 'invalid'; reason: string; causes: Cause[] };

const facts = z.object({
  setup: setupStateRoute.reply.extend({ depot_name: z.string().max(200) }),
  openApi: z.object({
    info: z.object({ title: z.literal('Fleetdeck'), version: z.string().max(50) }),
    paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  }),
});

/**
 * Asks what host there is at an address, as far as it is trusted.
 *
 * @param asked.url as somebody typed it
 * @param asked.fingerprint of the certificate that was confirmed, if one was
 * @param asked.insecure whether a call without encryption was confirmed
 */
export async function probeHost(
  asked: { url: string; fingerprint: string | null; insecure: boolean },
  clock: Pick<Clock, 'after'> = systemClock,
): Promise<Probe> {
  let host: RemoteHost;
  try {
    host = { ...asked, url: readHostUrl(asked.url) };
  } catch (error) {
    if (error instanceof NoHostUrl) return { state: 'invalid', reason: error.message, causes: error.causes };
    throw error;
  }
  const url = host.url.origin;
  try {
    return { state: 'found', url, fingerprint: asked.fingerprint, ...(await readHostFacts(host, clock)) };
  } catch (error) {
    if (error instanceof CertificateUntrusted)
      return { state: 'untrusted', url, fingerprint: error.fingerprint };
    if (error instanceof CertificateChanged)
      return { state: 'changed', url, expected: error.expected, found: error.found };
    if (error instanceof Insecure) return { state: 'insecure', url };
    const why = error instanceof Unreachable ? error : new Unreachable(verbatim(error), { cause: error });
    return { state: 'unreachable', url, reason: why.message, causes: why.causes };
  }
}

/**
 * The name of the depot, the version and the API of a host, which anybody may ask.
 *
 * @throws {Unreachable | CertificateUntrusted | CertificateChanged | Insecure}, or what a broken connection says
 */
export async function readHostFacts(host: RemoteHost, clock: Pick<Clock, 'after'>): Promise<HostFacts> {
  const agent = new CheckedAgent(host, clock, { keepAlive: true, maxSockets: 1 });
  const abort = new AbortController();
  const stopTimer = clock.after(askWithin_ms, () => abort.abort());
  const read = (path: string) => readAnswer({ host, agent, path, signal: abort.signal });
  try {
    const setup = await read(setupStateRoute.path);
    const parsed = facts.safeParse({ setup, openApi: await read('/openapi.json') });
    if (!parsed.success) throw new Unreachable(causeOf('outgoing.no_host'));
    const { info, paths } = parsed.data.openApi;
    return {
      depotName: parsed.data.setup.depot_name,
      version: info.version,
      api: compareApi(paths),
    };
  } catch (error) {
    if (!abort.signal.aborted) throw error;
    throw new Unreachable(causeOf('outgoing.too_late', { seconds: askWithin_ms / 1_000 }), { cause: error });
  } finally {
    stopTimer();
    agent.destroy();
  }
}

function readAnswer(asked: {
  host: RemoteHost;
  agent: CheckedAgent;
  path: string;
  signal: AbortSignal;
}): Promise<unknown> {
  const { host, agent, path, signal } = asked;
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      agent,
      host: host.url.hostname,
      port: host.url.port,
      path,
      headers: { host: host.url.host, accept: 'application/json' },
      setHost: false,
      signal,
    });
    request.once('error', reject);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > maxAnswerBytes)
          request.destroy(
            new Unreachable(causeOf('outgoing.too_large', { mb: maxAnswerBytes / 1024 / 1024 })),
          );
        else chunks.push(chunk);
      });
      response.once('error', reject);
      response.once('end', () => {
        try {
          if (response.statusCode !== 200) throw new Error(`status ${response.statusCode ?? 0}`);
          resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')));
        } catch (error) {
          reject(new Unreachable(causeOf('outgoing.no_host'), { cause: error }));
        }
      });
    });
    request.end();
  });
}

const verbatim = (error: unknown): Cause =>
  causeOf('verbatim', { detail: error instanceof Error ? error.message : String(error) });

/** By the operations that each of them has. */
export function compareApi(paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>): ApiMatch {
  const own = new Set(apiRoutes.map(({ method, path }) => `${method} ${path}`));
  const theirs = new Set(
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    ),
  );
  const lacks = [...own].some((it) => !theirs.has(it));
  const hasMore = [...theirs].some((it) => !own.has(it));
  if (lacks) return hasMore ? 'different' : 'older';
  return hasMore ? 'newer' : 'same';
}
