import { status, serviceRoutes } from '../../contract/settings.ts';
import { vehicleRoutes } from '../../contract/vehicles.ts';
import { createOsmandSender, type SendResult } from '../osmandSender.ts';
import { CommandError, logIn, type RestClient } from '../restClient.ts';
import { type Pace, playTrack } from './playTrack.ts';
import { REPLAY_USAGE, replayOptions, type ReplayOptions } from './replayOptions.ts';
import { readTrackFile, terminalIds } from './trackFile.ts';

interface ReplayConsole {
  environment: NodeJS.ProcessEnv;
  pace: Pace;
  /** The summary, and the usage when asked for. */
  say(line: string): void;
  /** Progress and problems. */
  note(line: string): void;
  /** Ends the replay early; it still says what it did. */
  signal: AbortSignal;
}

/** As many as one import call takes. */
const MOST_VEHICLES = 5000;

/** Runs the command; answers its exit code: 0, or 1 after one line that says what is wrong. */
export async function runReplay(argv: readonly string[], console: ReplayConsole): Promise<number> {
  try {
    const options = replayOptions(argv, console.environment);
    if (options === null) console.say(REPLAY_USAGE);
    else console.say(summaryOf(await replay(options, console)));
    return 0;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    console.note(`replay: ${error.message}`);
    return 1;
  }
}

async function replay(options: ReplayOptions, console: ReplayConsole): Promise<SendResult> {
  const host = options.login === null ? null : await logIn(options.url, options.login);
  if (host !== null && options.create) await createVehicles(options.file, host, console);
  const intake = options.intake ?? (host === null ? undefined : await osmandIntake(options.url, host));
  if (intake === undefined) throw new CommandError('give the address of the OsmAnd intake by --intake');
  const sender = createOsmandSender(intake);
  const close = (): void => sender.close();
  console.signal.addEventListener('abort', close, { once: true });
  try {
    return await playTrack({
      rows: readTrackFile(options.file),
      terminalIdOf: terminalIds(),
      sender,
      pace: console.pace,
      speed: options.speed,
      now: options.now,
      onProgress: (result, recordedAt) =>
        console.note(`${result.sent} fixes sent, the recording is at ${recordedAt.toISOString()}`),
      signal: console.signal,
    });
  } finally {
    console.signal.removeEventListener('abort', close);
    sender.close();
  }
}

async function osmandIntake(baseUrl: string, host: RestClient): Promise<string> {
  const intakeStatus = { ...serviceRoutes.status, reply: status.pick({ intake: true }) };
  const { intake } = await host.call(intakeStatus);
  if (intake.osmand === null) throw new CommandError(`the host at ${baseUrl} has no OsmAnd intake`);
  const address = new URL(baseUrl);
  return `http://${address.hostname}:${intake.osmand.port}/`;
}

/** Reads the file once for its vehicles alone: the host wants them all in one call. */
async function createVehicles(file: string, host: RestClient, console: ReplayConsole): Promise<void> {
  const terminalIdOf = terminalIds();
  const vehicles = new Map<string, { terminal_id: string; name: string }>();
  for await (const { vehicle } of readTrackFile(file)) {
    vehicles.set(vehicle, { terminal_id: terminalIdOf(vehicle), name: vehicle });
    if (vehicles.size > MOST_VEHICLES)
      throw new CommandError(`${file} has more than ${MOST_VEHICLES} vehicles`);
  }
  if (vehicles.size === 0) return;
  const { created, exists, results } = await host.call(vehicleRoutes.import, {
    body: [...vehicles.values()],
  });
  const fault = results.find((row) => row.status === 'invalid')?.errors[0];
  if (fault !== undefined)
    throw new CommandError(`the host refuses a vehicle: ${fault.path} ${fault.message}`);
  console.note(`${created} vehicles created, ${exists} were there`);
}

function summaryOf({ sent, acknowledged, rejected, unknown, failed }: SendResult): string {
  return `sent ${sent}, stored ${acknowledged}, rejected ${rejected}, unknown ${unknown}, failed ${failed}`;
}
