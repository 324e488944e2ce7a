import { join } from 'node:path';
import { startServer, type RunningHost, type StartOptions } from '../server/app.ts';
import type { BoxWords, Say } from './language.ts';
import type { DesktopOptions } from './options.ts';
import { choosePort, isDatagramPortFree, isPortFree, type PortChoice } from './ports.ts';

export interface DesktopHost extends RunningHost {
  /** The notice to the operator about ports that could not be opened; null if there are none. */
  notice: BoxWords | null;
}

/**
 * Starts the host of this computer, reached from this computer alone but for its intake, over the data in
 * `folder`/data.
 */
export async function startHost(
  folder: string,
  options: DesktopOptions,
  deps: Pick<StartOptions, 'log' | 'consoleFolder' | 'recentLog' | 'secretBox' | 'earlierEnd'> & { say: Say },
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
      tlsSelf: false,
      allowHosts: [],
      insecureLan: false,
      announce: false,
      apiAccess: 'open',
    },
  });
  return {
    ...host,
    notice: portNotice(deps.say, {
      console,
      intake: [
        { who: 'osmand', wanted: hasOsmand ? null : osmandPort, port: host.intake.osmand },
        {
          who: 'teltonika',
          wanted: hasTeltonika ? null : teltonikaPort,
          port: host.intake.teltonika,
        },
        { who: 'wialon', wanted: hasWialon ? null : wialonPort, port: host.intake.wialon },
        { who: 'jt808', wanted: hasJt808 ? null : jt808Port, port: host.intake.jt808 },
      ],
    }),
  };
}

/** The notice to the operator about ports that other programs use; null if there are none. */
export function portNotice(
  say: Say,
  ports: {
    console: PortChoice;
    /** `who` sends positions there; `wanted`: the port that could not be had, or null. */
    intake: readonly {
      who: 'osmand' | 'teltonika' | 'wialon' | 'jt808';
      wanted: number | null;
      port: number | null;
    }[];
  },
): BoxWords | null {
  const lines: string[] = [];
  const { console, intake } = ports;
  if (console.insteadOf !== null) {
    lines.push(say('ports.console', { taken: console.insteadOf, port: console.port }));
  }
  for (const { who, wanted, port } of intake) {
    if (wanted === null) continue;
    lines.push(say('ports.intake', { taken: wanted, port: port ?? '–', who: say(`ports.${who}`) }));
  }
  if (lines.length === 0) return null;
  return { message: say('ports.taken'), detail: [...lines, say('ports.restart')].join('\n\n') };
}
