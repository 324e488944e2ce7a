import { join } from 'node:path';
import type { Logger } from 'pino';
import { startServer, type RunningHost } from '../server/app.ts';
import type { DesktopOptions } from './options.ts';
import { portNotice } from './portNotice.ts';
import { choosePort, isDatagramPortFree, isPortFree } from './ports.ts';

export interface DesktopHost extends RunningHost {
  /** The notice to the operator about ports that could not be opened; null if there are none. */
  notice: { message: string; detail: string } | null;
}

/**
 * Starts the host of this computer, reached from this computer alone but for its intake, over the data in
 * `folder`/data.
 */
export async function startHost(
  folder: string,
  options: DesktopOptions,
  deps: { log: Logger; consoleFolder: string },
): Promise<DesktopHost> {
  const console = await choosePort(join(folder, 'ports.json'), isPortFree);
  const { osmandPort, teltonikaPort, wialonPort, jt808Port, jt1078Port } = options;
  const intakeHost = options.intakeHost ?? '127.0.0.1';
  const canHave = async (port: number) => port === 0 || (await isPortFree(port, intakeHost));
  /** By TCP and by datagrams. */
  const canHaveBoth = async (port: number) =>
    (await canHave(port)) && (port === 0 || (await isDatagramPortFree(port, intakeHost)));
  const hasOsmand = await canHave(osmandPort);
  const hasTeltonika = await canHaveBoth(teltonikaPort);
  const hasWialon = await canHaveBoth(wialonPort);
  const hasJt808 = await canHave(jt808Port);
  const host = await startServer({
    ...deps,
    config: {
      data: join(folder, 'data'),
      host: '127.0.0.1',
      port: console.port,
      intakeHost: options.intakeHost,
      osmandPort: hasOsmand ? osmandPort : 0,
      teltonikaPort: hasTeltonika ? teltonikaPort : 0,
      wialonPort: hasWialon ? wialonPort : 0,
      jt808Port: hasJt808 ? jt808Port : 0,
      // Any other port works: each request to a terminal carries it.
      jt1078Port: (await canHave(jt1078Port)) ? jt1078Port : 0,
      mediaAddress: options.mediaAddress,
      // The depot's settings hold.
      jwtTtlS: null,
      timezone: null,
      tlsCert: null,
      tlsKey: null,
      allowHosts: [],
      insecureLan: false,
    },
  });
  return {
    ...host,
    notice: portNotice({
      console,
      intake: [
        { who: 'trackers', wanted: hasOsmand ? null : osmandPort, port: host.intake.osmand },
        {
          who: 'Teltonika terminals',
          wanted: hasTeltonika ? null : teltonikaPort,
          port: host.intake.teltonika,
        },
        { who: 'Wialon IPS terminals', wanted: hasWialon ? null : wialonPort, port: host.intake.wialon },
        { who: 'JT/T 808 terminals', wanted: hasJt808 ? null : jt808Port, port: host.intake.jt808 },
      ],
    }),
  };
}
