import { parseArgs } from 'node:util';
import { CommandError } from '../restClient.ts';

export interface ReplayOptions {
  file: string;
  /** The host's REST API. */
  url: string;
  /** The OsmAnd intake; null: ask the host. */
  intake: string | null;
  login: { login: string; password: string } | null;
  create: boolean;
  speed: number | 'max';
  now: boolean;
}

export const REPLAY_USAGE = `Plays a recorded track file into a running host, as its vehicles would have sent it.

  fleetdeck replay FILE.csv [options]

  FILE.csv        first line vehicle,time_utc_iso,lat,lon,speed_kmh,course_deg; in order of time; empty = unknown
  --url URL       the host's REST API                                   (http://127.0.0.1:8471)
  --intake URL    its OsmAnd intake, http://127.0.0.1:5055 say; needed without --login, for only a dealer may ask
  --login NAME    a dealer; the password comes from FLEETDECK_PASSWORD
  --create        make the file's vehicles first; needs --login
  --speed N       N times the recorded speed, or max: as fast as the host acknowledges   (1)
  --now           stamp each fix with the instant of sending: geofences and rules then act on it;
                  without it fixes keep their own times and, being late, only fill the history
  --help          this text
`;

const DEFAULT_URL = 'http://127.0.0.1:8471';

/**
 * What the command line and the environment ask for; null when it is for help.
 * @throws CommandError for what makes no sense.
 */
export function replayOptions(argv: readonly string[], environment: NodeJS.ProcessEnv): ReplayOptions | null {
  const { values, positionals } = parsed(argv);
  if (values.help === true) return null;
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new CommandError('name one track file (see --help)');
  const intake = values.intake === undefined ? null : addressOf(values.intake, '--intake', ['http:']);
  const login = values.login === undefined ? null : credentialsOf(values.login, environment);
  if (login === null && intake === null) {
    throw new CommandError('give the address of the OsmAnd intake by --intake, or a dealer by --login');
  }
  if (login === null && values.create === true)
    throw new CommandError('--create needs a dealer: --login NAME');
  return {
    file,
    url: addressOf(values.url ?? DEFAULT_URL, '--url', ['http:', 'https:']),
    intake,
    login,
    create: values.create ?? false,
    speed: speedOf(values.speed ?? '1'),
    now: values.now ?? false,
  };
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        intake: { type: 'string' },
        login: { type: 'string' },
        create: { type: 'boolean' },
        speed: { type: 'string' },
        now: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}

function credentialsOf(login: string, environment: NodeJS.ProcessEnv): { login: string; password: string } {
  const password = environment['FLEETDECK_PASSWORD'];
  if (password === undefined || password === '') {
    throw new CommandError(`put the password of ${login} into the environment variable FLEETDECK_PASSWORD`);
  }
  return { login, password };
}

function addressOf(text: string, option: string, protocols: string[]): string {
  const address = URL.parse(text);
  if (address === null || !protocols.includes(address.protocol)) {
    throw new CommandError(`${option} takes an address like http://127.0.0.1:8471, not "${text}"`);
  }
  return address.href;
}

function speedOf(text: string): number | 'max' {
  if (text === 'max') return 'max';
  const speed = Number(text);
  if (!(speed > 0) || !Number.isFinite(speed))
    throw new CommandError(`--speed takes a number above 0, or max, not "${text}"`);
  return speed;
}
