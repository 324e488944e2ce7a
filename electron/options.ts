import { resolve } from 'node:path';
import {
  readLogLevel,
  readMediaAddress,
  standardPorts,
  type Config,
  type LogOptions,
} from '../server/app.ts';

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
  };
}

function portOf(name: keyof typeof standardPorts, text: string): number {
  if (text === '') return standardPorts[name];
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new Error(`--${name} ${text} is not a whole number from 0 to 65535.`);
  }
  return Number(text);
}
