import { resolve } from 'node:path';
import {
  readLogLevel,
  readMediaAddress,
  standardPorts,
  type Config,
  type LogOptions,
} from '../server/app.ts';
import type { WatchTimes } from './watchState.ts';

export interface DesktopOptions
  extends
    Pick<
      Config,
      | 'intakeHost'
      | 'osmandPort'
      | 'teltonikaPort'
      | 'wialonPort'
      | 'jt808Port'
      | 'jt1078Port'
      | 'mediaAddress'
    >,
    Pick<LogOptions, 'logLevel'> {
  /** Where all of this program's files lie; null: where the system keeps such files. */
  userFolder: string | null;
  watch: WatchTimes;
}

/**
 * What a start may set, named as for the headless host: a switch, or else an environment variable.
 *
 * @param switchValue the value of a command-line switch, empty when it is not given
 * @throws Error with one line for whoever typed it
 */
export function readOptions(
  switchValue: (name: string) => string,
  environment: Readonly<Record<string, string | undefined>>,
): DesktopOptions {
  const text = (name: string): string =>
    switchValue(name) || (environment[`FLEETDECK_${name.toUpperCase().replaceAll('-', '_')}`] ?? '');
  const userFolder = text('user-data-dir');
  return {
    userFolder: userFolder === '' ? null : resolve(userFolder),
    intakeHost: text('intake-host') || null,
    osmandPort: portOf('osmand-port', text('osmand-port')),
    teltonikaPort: portOf('teltonika-port', text('teltonika-port')),
    wialonPort: portOf('wialon-port', text('wialon-port')),
    jt808Port: portOf('jt808-port', text('jt808-port')),
    jt1078Port: portOf('jt1078-port', text('jt1078-port')),
    mediaAddress: readMediaAddress(text('media-address') || undefined),
    // Chromium has a switch of its own by that name.
    logLevel: readLogLevel(environment['FLEETDECK_LOG_LEVEL'] || undefined),
    watch: {
      hungAfterMs: secondsOf('hung-after-s', text('hung-after-s') || '30'),
      pausesMs: pausesOf(text('restart-pauses-s') || '1,5,30,120,300'),
    },
  };
}

function pausesOf(text: string): number[] {
  return text === 'never' ? [] : text.split(',').map((pause) => secondsOf('restart-pauses-s', pause));
}

/** In milliseconds. */
function secondsOf(name: string, text: string): number {
  if (!/^\d{1,5}([.]\d{1,3})?$/.test(text)) throw new Error(`--${name} ${text} is not a number of seconds.`);
  return Number(text) * 1_000;
}

function portOf(name: keyof typeof standardPorts, text: string): number {
  if (text === '') return standardPorts[name];
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new Error(`--${name} ${text} is not a whole number from 0 to 65535.`);
  }
  return Number(text);
}
