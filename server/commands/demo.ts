import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { destination, pino } from 'pino';
import { makeDealer, startRefusal, startServer, type RunningHost } from '../app.ts';
import { readConfig, type Config } from '../config.ts';
import { handInHistory, setUpDepot } from './demo/demoDepot.ts';
import { createFleet, demoFleet } from './demo/demoFleet.ts';
import { createOsmandSender } from './osmandSender.ts';
import { logIn } from './restClient.ts';

const usage = `npm run demo -- [--port 8471] [--osmand-port 5055] [--teltonika-port 5027]
                    [--wialon-port 5039] [--jt808-port 5015] [--jt1078-port 5016]
                    [--data DIR]
A depot with a fleet that drives and records video, on a temporary store. Ctrl C ends it and deletes the store.`;

/** What `node test/demo/makeDemo.ts` made: the town's map, and the fleet with its itineraries. */
const resources = new URL('../../resources/demo/', import.meta.url);
const stepMs = 500;
const historyHours = 2;
const login = 'demo';

/** Starts on the usual ports, or on free ones when another host has them. */
async function startHost(
  config: Config,
  options: Omit<Parameters<typeof startServer>[0], 'config'>,
): Promise<RunningHost> {
  try {
    return await startServer({ ...options, config });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return startServer({
      ...options,
      config: {
        ...config,
        port: 0,
        osmandPort: 0,
        teltonikaPort: 0,
        wialonPort: 0,
        jt808Port: 0,
        jt1078Port: 0,
      },
    });
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      'osmand-port': { type: 'string' },
      'teltonika-port': { type: 'string' },
      'wialon-port': { type: 'string' },
      'jt808-port': { type: 'string' },
      'jt1078-port': { type: 'string' },
      data: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) {
    console.log(usage);
    return;
  }
  const undo: (() => Promise<void> | void)[] = [];
  const stop = once(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void stop().then(() => process.exit(0)));
  }
  try {
    await show(values, undo);
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Options {
  port?: string | undefined;
  'osmand-port'?: string | undefined;
  'teltonika-port'?: string | undefined;
  'wialon-port'?: string | undefined;
  'jt808-port'?: string | undefined;
  'jt1078-port'?: string | undefined;
  data?: string | undefined;
}

/** Starts all that there is to see; what must be ended again is added to `undo` as soon as it is there. */
async function show(options: Options, undo: (() => Promise<void> | void)[]): Promise<void> {
  let { data } = options;
  if (data === undefined) {
    const temporary = await mkdtemp(join(tmpdir(), 'fleetdeck-demo-'));
    undo.push(() => rm(temporary, { recursive: true, force: true }));
    data = temporary;
  }
  const password = randomBytes(9).toString('base64url');
  const town = await readFile(new URL('town.json', resources), 'utf8');
  const recorded = demoFleet.parse(JSON.parse(await readFile(new URL('fleet.json', resources), 'utf8')));
  await makeDealer(data, login, password);
  const names = [
    'port',
    'osmand-port',
    'teltonika-port',
    'wialon-port',
    'jt808-port',
    'jt1078-port',
  ] as const;
  const ports = names.flatMap((name) => {
    const port = options[name];
    return port === undefined ? [] : [`--${name}`, port];
  });
  const host = await startHost(readConfig(['--data', data, ...ports], {}), {
    log: pino({ base: null, level: 'warn' }, destination({ fd: 2, sync: true })),
    consoleFolder: fileURLToPath(new URL('../../dist/console', import.meta.url)),
    files: {
      '/demo/town.json': { contentType: 'application/geo+json', body: town },
    },
  });
  undo.push(() => host.close());

  const fleet = createFleet(recorded, new Date(), { historyHours });
  const sender = createOsmandSender(`http://127.0.0.1:${host.intake.osmand ?? 0}/`);
  undo.push(() => sender.close());
  const dealer = await logIn(host.url, { login, password });
  await setUpDepot(dealer, recorded);
  await handInHistory(dealer, fleet.history());
  const timer = setInterval(() => void sender.send(fleet.step(new Date())), stepMs);
  undo.push(() => clearInterval(timer));

  console.log(`
  Fleetdeck shows the fleet of ${recorded.town}:

    ${host.url}/
    login     ${login}
    password  ${password}

  Within a minute a truck enters Quay 4, a van speeds on the ring road, and a bus calls for help.
  Ctrl C ends the demo.
`);
}

function once(act: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => (running ??= act());
}

main().catch((error: unknown) => {
  console.error(
    `fleetdeck: ${startRefusal(error) ?? (error instanceof Error ? error.message : String(error))}`,
  );
  process.exit(1);
});
