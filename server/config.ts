import { isIP, isIPv4, isIPv6 } from 'node:net';
import { parseArgs } from 'node:util';
import { timeZone } from './contract/fields.ts';
import { readFile } from 'node:fs/promises';

/** As package.json has it. */
export const appVersion = '0.1.0';

/** How a host is started; every port may be 0 for any free one. */
export interface Config {
  data: string;
  host: string;
  port: number;
  /** Where terminals come in; null: as the depot's settings say. */
  intakeHost: string | null;
  osmandPort: number;
  teltonikaPort: number;
  wialonPort: number;
  jt808Port: number;
  jt1078Port: number;
  mediaAddress: MediaAddress | null;
  jwtTtlS: number | null;
  timezone: string | null;
  tlsCert: string | null;
  tlsKey: string | null;
  /** With a certificate that the host signs itself. */
  tlsSelf: boolean;
  allowHosts: string[];
  insecureLan: boolean;
  /** Answers whoever asks for hosts on this network. */
  announce: boolean;
  /** `granted`: JWTs for programs only for users to whom the host's machine has given a grant. */
  apiAccess: 'open' | 'granted';
}

const logLevels = ['error', 'warn', 'info', 'debug'] as const;

/** Where a program writes its log, and how much. */
export interface LogOptions {
  logLevel: (typeof logLevels)[number];
  /** Null: to standard error. */
  logFile: string | null;
}

/** Where terminals bring their video when it is not where they reach the intake: a router forwards it from there. */
export interface MediaAddress {
  /** An IP address, or a name; IPv6 without its brackets. */
  host: string;
  /** Null: the port that the host listens on. */
  port: number | null;
}

/** A start that cannot be: one line for whoever typed it. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Where the intake listens unless a start says otherwise. */
export const standardPorts = {
  'osmand-port': 5055,
  'teltonika-port': 5027,
  'wialon-port': 5039,
  'jt808-port': 5015,
  'jt1078-port': 5016,
} as const;

const options = {
  data: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  'intake-host': { type: 'string' },
  'osmand-port': { type: 'string' },
  'teltonika-port': { type: 'string' },
  'wialon-port': { type: 'string' },
  'jt808-port': { type: 'string' },
  'jt1078-port': { type: 'string' },
  'media-address': { type: 'string' },
  'jwt-ttl-s': { type: 'string' },
  timezone: { type: 'string' },
  tls: { type: 'string' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
  'insecure-lan': { type: 'boolean' },
  announce: { type: 'boolean' },
  'api-access': { type: 'string' },
  'log-level': { type: 'string' },
  'log-file': { type: 'string' },
} as const;

type Name = keyof typeof options;
export type Environment = Readonly<Record<string, string | undefined>>;

export const usage = `fleetdeck serve --data DIR [options]
Options (each also as an environment variable, --osmand-port as FLEETDECK_OSMAND_PORT):
  --data DIR            the data folder (needed)
  --port 8471           where the console and the REST API listen
  --host 127.0.0.1      on which address; another than loopback needs TLS or --insecure-lan
  --intake-host ADDRESS where terminals come in; held against the setting, which says 127.0.0.1 until it is opened
  --osmand-port 5055    --teltonika-port 5027 --wialon-port 5039 --jt808-port 5015 --jt1078-port 5016
  --media-address HOST[:PORT]  where terminals reach the JT/T 1078 port when a router forwards it, IPv6 in brackets;
                        an IP address: not every terminal knows names
  --jwt-ttl-s 1800      --timezone IANA
  --tls self            HTTPS with a certificate that the host signs itself, kept in the data folder; its SHA-256
                        fingerprint is printed at the start, to be compared with what browsers show
  --tls-cert FILE --tls-key FILE  HTTPS with a certificate of yours
  --allow-host NAME     a further name under which browsers may call this host, beside the machine's own name and
                        addresses; may be given several times
  --insecure-lan        listen beyond loopback without TLS
  --announce            answer desktops that look for hosts on this network (multicast DNS, UDP 5353)
  --log-level info      error, warn, info or debug
  --log-file PATH       write the log there instead of to standard error; a new file begins at 5 MB, and PATH.1 to
                        PATH.4 are the ones before
  --api-access open     granted: programs log in only as users with a grant (dealer --grant-api), and the console's JWT
                        is valid only with its cookie`;

/** Reads arguments, then environment, then defaults; throws `ConfigError`. */
export function readConfig(args: readonly string[], environment: Environment): Config & LogOptions {
  const given = parse(args);
  // A script whose variable is not set: an empty path would be the current folder, an empty address all of them.
  const empty = Object.entries(given).find(([, value]) => value === '');
  if (empty !== undefined) throw new ConfigError(`--${empty[0]} is empty.`);
  const text = (name: Name): string | undefined => {
    const value = given[name];
    if (typeof value === 'string') return value;
    const variable = environment[`FLEETDECK_${name.toUpperCase().replaceAll('-', '_')}`];
    return variable === '' ? undefined : variable;
  };
  const isGiven = (name: 'insecure-lan' | 'announce') =>
    given[name] === true || ['1', 'true'].includes(text(name) ?? '');
  const intakePort = (name: keyof typeof standardPorts) => portOf(name, text(name), standardPorts[name]);
  const data = text('data');
  if (data === undefined) throw new ConfigError('Which data folder? Start with --data DIR.');
  const zone = text('timezone') ?? null;
  if (zone !== null && !timeZone.safeParse(zone).success) {
    throw new ConfigError(`--timezone ${zone} is not a time zone of the IANA list.`);
  }
  const tls = text('tls');
  if (tls !== undefined && tls !== 'self')
    throw new ConfigError(`--tls ${tls} is not known; it can be self.`);
  const ttl = text('jwt-ttl-s');
  const apiAccess = text('api-access') ?? 'open';
  if (apiAccess !== 'open' && apiAccess !== 'granted') {
    throw new ConfigError(`--api-access ${apiAccess} is neither open nor granted.`);
  }
  const hosts = given['allow-host'] ?? text('allow-host')?.split(',');
  const config: Config & LogOptions = {
    data,
    host: text('host') ?? '127.0.0.1',
    port: portOf('port', text('port'), 8471),
    intakeHost: text('intake-host') ?? null,
    osmandPort: intakePort('osmand-port'),
    teltonikaPort: intakePort('teltonika-port'),
    wialonPort: intakePort('wialon-port'),
    jt808Port: intakePort('jt808-port'),
    jt1078Port: intakePort('jt1078-port'),
    mediaAddress: readMediaAddress(text('media-address')),
    jwtTtlS: ttl === undefined ? null : wholeNumber('jwt-ttl-s', ttl, 1, 86_400),
    timezone: zone,
    tlsCert: text('tls-cert') ?? null,
    tlsKey: text('tls-key') ?? null,
    tlsSelf: tls === 'self',
    allowHosts: Array.isArray(hosts) ? hosts.map((it) => it.trim()).filter((it) => it !== '') : [],
    apiAccess,
    insecureLan: isGiven('insecure-lan'),
    announce: isGiven('announce'),
    logLevel: readLogLevel(text('log-level')),
    logFile: text('log-file') ?? null,
  };
  checkReach(config);
  return config;
}

/** @throws {ConfigError} */
export function readLogLevel(text: string | undefined): LogOptions['logLevel'] {
  if (text === undefined) return 'info';
  const level = logLevels.find((it) => it === text);
  if (level === undefined) throw new ConfigError(`--log-level ${text} is none of ${logLevels.join(', ')}.`);
  return level;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error));
  }
}

function portOf(name: string, text: string | undefined, standard: number): number {
  return text === undefined ? standard : wholeNumber(name, text, 0, 65_535);
}

/** @throws {ConfigError} */
export function readMediaAddress(text: string | undefined): MediaAddress | null {
  if (text === undefined) return null;
  const refuse = (why: string): never => {
    throw new ConfigError(`--media-address ${text} ${why}; it is HOST or HOST:PORT, with IPv6 in brackets.`);
  };
  if (isIPv6(text)) refuse('has no brackets');
  const { bracketed, name, port } =
    /^(?:\[(?<bracketed>[^\]]*)\]|(?<name>[^:[\]]*))(?::(?<port>.*))?$/.exec(text)?.groups ?? {};
  const host = bracketed ?? name ?? '';
  const isHost = bracketed === undefined ? isIPv4(host) || isHostName(host) : isIPv6(host);
  if (!isHost) refuse('names no host');
  if (isIP(host) !== 0 && /^[0.:]+$/.test(host)) refuse('is no address that a terminal could reach');
  if (port === undefined) return { host, port: null };
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    refuse('names no port from 1 to 65535');
  return { host, port: Number(port) };
}

/** RFC 1123, 2.1; a name whose last part is a number would be taken for an IPv4 address that is none. */
function isHostName(text: string): boolean {
  const label = /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i;
  const labels = text.split('.');
  return text.length <= 253 && labels.every((it) => label.test(it)) && !/^\d+$/.test(labels.at(-1) ?? '');
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < min || number > max) {
    throw new ConfigError(`--${name} ${text} is not a whole number from ${min} to ${max}.`);
  }
  return number;
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function checkReach(config: Config): void {
  if ((config.tlsCert === null) !== (config.tlsKey === null)) {
    throw new ConfigError('--tls-cert and --tls-key come together.');
  }
  if (config.announce && isLoopback(config.host)) {
    throw new ConfigError(
      `--announce names a host to other machines, which do not reach ${config.host}: give --host.`,
    );
  }
  if (config.tlsSelf && config.tlsCert !== null) {
    throw new ConfigError('--tls self and --tls-cert are two certificates: give one of them.');
  }
  if (!isLoopback(config.host) && config.tlsCert === null && !config.tlsSelf && !config.insecureLan) {
    throw new ConfigError(
      `--host ${config.host} reaches beyond this machine: give --tls self, or --tls-cert and --tls-key, or --insecure-lan.`,
    );
  }
}

/** The certificate and key that the command line names; null without. Throws `ConfigError` when they cannot be read. */
export async function readTls({
  tlsCert,
  tlsKey,
}: Pick<Config, 'tlsCert' | 'tlsKey'>): Promise<{ cert: Buffer; key: Buffer } | null> {
  if (tlsCert === null || tlsKey === null) return null;
  try {
    return { cert: await readFile(tlsCert), key: await readFile(tlsKey) };
  } catch (error) {
    throw new ConfigError(
      `The certificate or its key cannot be read: ${error instanceof Error ? error.message : ''}`,
    );
  }
}
