import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { SettingsFields } from '../../contract/settings.ts';
import { requestCamera, type CameraRequestDeps, receiveBody, type ReceiveDeps } from './cameraRequest.ts';
import { fillCameraUrl } from './cameraUrl.ts';
import { parseChallenges, chooseDigest, digestAuthorization } from './digest.ts';
import { TerminalError, type Fragment, type FragmentRequest, type Terminal } from './terminal.ts';

export interface HttpTerminalDeps extends CameraRequestDeps, Omit<ReceiveDeps, 'maxBytes'> {
  settings: () => Pick<SettingsFields, 'timezone' | 'camera_max_bytes' | 'camera_timeout_s'>;
}

/** What holds for cameras on mobile networks; an export of ten minutes can take a recorder a while to begin. */
export const cameraTimeouts = {
  connectMs: 15_000,
  answerMs: 120_000,
  idleMs: 60_000,
};

const maxRedirects = 5;
const redirects = new Set([301, 302, 303, 307, 308]);
const nothingThere = new Set([204, 205, 404, 410]);
/** Timed out, too many requests: later it may work. */
const later = new Set([408, 425, 429]);

/** A camera or recorder that gives a fragment at an HTTP address. */
export function createHttpTerminal(deps: HttpTerminalDeps): Terminal {
  return {
    async fetchFragment(order) {
      // One that drips must not hold its place for ever.
      const late = new AbortController();
      const longest_s = deps.settings().camera_timeout_s;
      const stopTimer = deps.clock.after(longest_s * 1_000, () => late.abort(tooSlow(longest_s)));
      try {
        await fetchFragment({ ...order, signal: AbortSignal.any([order.signal, late.signal]) }, deps);
        // Cameras cut at their key frames, or at their files' ends, and do not say where.
        return null;
      } finally {
        stopTimer();
      }
    },

    async isOnline({ connection, signal }) {
      try {
        // Not the fragment's own address: many recorders begin an export whatever the method.
        const url = new URL('/', fillCameraUrl(connection.url ?? '', noFragment));
        const response = await requestCamera({ method: 'HEAD', url, headers: {}, signal }, deps);
        response.destroy();
        return true;
      } catch (error) {
        if (!(error instanceof TerminalError)) throw error;
        return error.fault !== 'offline';
      }
    },
  };
}

async function fetchFragment(order: FragmentRequest, deps: HttpTerminalDeps): Promise<void> {
  const response = await ask(order, deps);
  const fault = faultOf(response.statusCode ?? 0, response);
  if (fault !== null) {
    response.destroy();
    throw fault;
  }
  const maxBytes = deps.settings().camera_max_bytes;
  const bytes = await receiveBody(response, order.output, order, { ...deps, maxBytes });
  if (bytes === 0) throw new TerminalError('no_recording', 'The camera answered with nothing.');
}

function tooSlow(longest_s: number): TerminalError {
  const time = longest_s < 120 ? `${longest_s} s` : `${Math.round(longest_s / 60)} minutes`;
  return new TerminalError('hung_up', `The camera was not done after ${time}.`);
}

const noFragment: Fragment = { channel: { channel: 1, name: '' }, from_ms: 0, to_ms: 0 };

/** The answer to the fragment's address, past redirects and a digest challenge. */
async function ask(order: FragmentRequest, deps: HttpTerminalDeps): Promise<IncomingMessage> {
  let url = fillCameraUrl(order.connection.url ?? '', order, deps.settings().timezone);
  let authorization = plainAuthorization(order);
  let challenged = 0;
  for (let redirected = 0; ;) {
    const headers = {
      Accept: 'video/mp4, video/*;q=0.9, */*;q=0.5',
      'Accept-Encoding': 'identity',
      ...(authorization === null ? {} : { Authorization: authorization }),
    };
    const response = await requestCamera({ method: 'GET', url, headers, signal: order.signal }, deps);
    const { statusCode = 0 } = response;
    if (redirects.has(statusCode) && response.headers.location !== undefined) {
      response.destroy();
      if (++redirected > maxRedirects) {
        throw new TerminalError('refused', `The camera redirects more than ${maxRedirects} times.`);
      }
      url = redirectedTo(response.headers.location, url);
      authorization = plainAuthorization(order);
      challenged = 0;
      continue;
    }
    // Twice: a nonce from the first answer can be stale already.
    if (statusCode === 401 && order.connection.auth === 'digest' && challenged < 2) {
      const answer = answerChallenge(response, url, order, challenged > 0);
      if (answer !== null) {
        response.destroy();
        authorization = answer;
        challenged++;
        continue;
      }
    }
    return response;
  }
}

/** What is sent without being asked; a digest needs the camera's challenge first. */
function plainAuthorization({
  connection,
  secret,
}: Pick<FragmentRequest, 'connection' | 'secret'>): string | null {
  switch (connection.auth) {
    case 'basic':
      return `Basic ${Buffer.from(`${connection.username ?? ''}:${secret ?? ''}`, 'utf8').toString('base64')}`;
    case 'bearer':
      return `Bearer ${secret ?? ''}`;
    case 'digest':
    case 'none':
    case undefined:
      return null;
  }
}

function answerChallenge(
  response: IncomingMessage,
  url: URL,
  { connection, secret }: FragmentRequest,
  onlyStale: boolean,
): string | null {
  const challenge = chooseDigest(parseChallenges(response.headers['www-authenticate'] ?? ''));
  if (challenge === undefined) return null;
  if (onlyStale && challenge.params.get('stale')?.toLowerCase() !== 'true') return null;
  const header = digestAuthorization(challenge, {
    username: connection.username ?? '',
    password: secret ?? '',
    method: 'GET',
    uri: url.pathname + url.search,
    cnonce: randomBytes(16).toString('hex'),
  });
  // Node writes header values as Latin-1; cameras expect the bytes of UTF-8.
  return Buffer.from(header, 'utf8').toString('latin1');
}

/** Within the same host alone, and never from https to http: the address stands for a camera, and bears its password. */
function redirectedTo(location: string, from: URL): URL {
  let url: URL;
  try {
    url = new URL(location, from);
  } catch {
    throw new TerminalError('refused', 'The camera redirects to something that is no address.');
  }
  const isHttp = url.protocol === 'https:' || (url.protocol === 'http:' && from.protocol === 'http:');
  if (!isHttp || url.hostname !== from.hostname) {
    throw new TerminalError('refused', `The camera redirects elsewhere, to ${url.protocol}//${url.host}.`);
  }
  return url;
}

function faultOf(status: number, response: IncomingMessage): TerminalError | null {
  if (nothingThere.has(status)) {
    return new TerminalError(
      'no_recording',
      `The camera has no recording of this time (it answered ${status}).`,
    );
  }
  if (status >= 200 && status < 300) return null;
  if (status === 401 || status === 403) return new TerminalError('refused', refusal(status, response));
  if (status >= 500 || later.has(status)) return new TerminalError('busy', `The camera answered ${status}.`);
  return new TerminalError('refused', `The camera does not take the request (it answered ${status}).`);
}

function refusal(status: number, response: IncomingMessage): string {
  if (status === 403) return 'The camera forbids it (it answered 403).';
  const schemes = parseChallenges(response.headers['www-authenticate'] ?? '').map((it) => it.scheme);
  const asked = schemes.length === 0 ? '' : ` It asks for: ${[...new Set(schemes)].join(', ')}.`;
  return `The camera does not accept the user name, password or token (it answered 401).${asked}`;
}
