import { createHash } from 'node:crypto';

export interface DigestRequest {
  username: string;
  password: string;
  method: string;
  /** Path and query as they stand in the request line. */
  uri: string;
  /** The client's own nonce; new for each request. */
  cnonce: string;
}

const hashes = new Map([
  ['MD5', 'md5'],
  ['SHA-256', 'sha256'],
]);

/** The strongest digest challenge that can be answered; undefined when there is none. */
export function chooseDigest(challenges: readonly Challenge[]): Challenge | undefined {
  const known = challenges.filter(
    (it) => it.scheme === 'digest' && it.params.has('nonce') && hashOf(it) !== undefined && canAnswer(it),
  );
  return known.find((it) => hashOf(it) === 'sha256') ?? known[0];
}

/** The value of `Authorization` (RFC 7616 section 3.4); without `qop` as cameras of RFC 2069 want it. */
export function digestAuthorization(challenge: Challenge, request: DigestRequest): string {
  const { username, password, method, uri, cnonce } = request;
  const get = (name: string) => challenge.params.get(name);
  const [realm, nonce, opaque, algorithm] = [
    get('realm') ?? '',
    get('nonce') ?? '',
    get('opaque'),
    get('algorithm'),
  ];
  const hash = (text: string) =>
    createHash(hashOf(challenge) ?? 'md5')
      .update(text, 'utf8')
      .digest('hex');

  const plain = hash(`${username}:${realm}:${password}`);
  const a1 = isSession(challenge) ? hash(`${plain}:${nonce}:${cnonce}`) : plain;
  const a2 = hash(`${method}:${uri}`);
  const withQop = get('qop') !== undefined;
  // A nonce is used for one request, so its count is always the first.
  const count = '00000001';
  const response = withQop
    ? hash(`${a1}:${nonce}:${count}:${cnonce}:auth:${a2}`)
    : hash(`${a1}:${nonce}:${a2}`);

  const fields = [
    `username=${quoted(username)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    ...(algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
    `response="${response}"`,
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(withQop ? ['qop=auth', `nc=${count}`] : []),
    ...(withQop || isSession(challenge) ? [`cnonce=${quoted(cnonce)}`] : []),
  ];
  return `Digest ${fields.join(', ')}`;
}

function algorithmOf(challenge: Challenge): string {
  return (challenge.params.get('algorithm') ?? 'MD5').toUpperCase();
}

function hashOf(challenge: Challenge): string | undefined {
  return hashes.get(algorithmOf(challenge).replace(/-SESS$/, ''));
}

function isSession(challenge: Challenge): boolean {
  return algorithmOf(challenge).endsWith('-SESS');
}

function canAnswer(challenge: Challenge): boolean {
  const qop = challenge.params.get('qop');
  return qop === undefined || qop.split(',').some((it) => it.trim().toLowerCase() === 'auth');
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** One challenge of a `WWW-Authenticate` header; names of parameters in lower case. */
interface Challenge {
  /** In lower case. */
  scheme: string;
  params: ReadonlyMap<string, string>;
}

/** `name=value` with the value as a token or in quotes, else a lone word, which begins the next challenge. */
const part = /([!#$%&'*+\-.^_`|~\w]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+)))?[\s,]*/gy;

/**
 * Reads a `WWW-Authenticate` header, which may hold several challenges (RFC 9110 section 11.6.1). What cannot be read
 * ends it: the challenges before stand.
 */
export function parseChallenges(header: string): Challenge[] {
  const challenges: { scheme: string; params: Map<string, string> }[] = [];
  for (const [, name = '', quoted, token] of header.trimStart().matchAll(part)) {
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? token;
    if (value === undefined) challenges.push({ scheme: name.toLowerCase(), params: new Map() });
    else challenges.at(-1)?.params.set(name.toLowerCase(), value);
  }
  return challenges;
}
