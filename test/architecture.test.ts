import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';
import { beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BAD_EXAMPLE = fileURLToPath(new URL('fixtures/architecture', import.meta.url));
const PROJECTS = ['server', 'electron', 'renderer'];

/** What stands directly in server/ for all of it to use, but for the contract, which imports nothing of ours. */
const FOUNDATION = [
  'server/boundedCache',
  'server/clock',
  'server/deadlineTimers',
  'server/startWorker',
  'server/fairQueue',
  'server/workerChannel',
];

/** The server's domains from left to right: each may import the foundation and those before it. */
const DOMAINS = [
  ...[
    'contract',
    'store',
    'http',
    'settings',
    'maps',
    'places',
    'users',
    'groups',
    'vehicles',
    'drivers',
    'auth',
    'geofences',
    'telemetry',
    'notifications',
  ],
  ...[
    'preview',
    'history',
    'reports',
    'video',
    'incidents',
    'shifts',
    'shares',
    'backup',
    'stream',
    'pipeline',
  ],
  ...['remote', 'app'],
].map((domain) => `server/${domain}`);

/** What of ours each part may import besides itself. A part is a folder, or a file of that name. */
const PARTS: Record<string, string[]> = {
  ...Object.fromEntries(
    DOMAINS.map((domain, place) => [domain, [...FOUNDATION, ...DOMAINS.slice(0, place)]]),
  ),
  ...Object.fromEntries(FOUNDATION.map((part) => [part, []])),
  'server/deadlineTimers': ['server/clock'],
  'server/workerChannel': ['server/clock', 'server/fairQueue', 'server/startWorker'],
  'server/contract': [],
  // What a viewer may see is passed in: the stream knows no domain.
  'server/stream': [...FOUNDATION, 'server/contract', 'server/store', 'server/http'],
  'server/config': [...FOUNDATION, 'server/contract'],
  'server/app': [...FOUNDATION, ...DOMAINS, 'server/config'],
  'server/main': [...FOUNDATION, 'server/contract', 'server/config', 'server/app'],
  // It knows a host as its clients do.
  'server/remote': [...FOUNDATION, 'server/contract', 'server/http'],
  // They speak to a host as outside tools do.
  'server/commands': [...FOUNDATION, 'server/contract', 'server/config', 'server/app', 'server/main'],
  'server/build': [],
  'electron/bridge': [],
  electron: ['electron/bridge', 'server/app'],
  renderer: ['server/contract', 'electron/bridge'],
};

const NAMES_THAT_SAY_NOTHING = ['utils', 'util', 'common', 'helpers', 'helper', 'misc', 'manager', 'index'];

function pathOf(part: string): string {
  return part === 'electron' ? '^electron/(?!bridge/)' : `^${part}(/|[.]tsx?$)`;
}

const arrows: IForbiddenRuleType[] = Object.entries(PARTS).map(([part, mayImport]) => ({
  name: `${part} keeps to its arrows`,
  from: { path: pathOf(part) },
  to: { path: '^([.]ci|server|electron|renderer|test)/', pathNot: [part, ...mayImport].map(pathOf) },
}));

const RULES: IForbiddenRuleType[] = [
  ...arrows,
  {
    name: 'only electron/ imports electron',
    from: { pathNot: '^electron/(?!bridge/)' },
    to: { path: '(^|/)node_modules/electron/' },
  },
  {
    name: 'renderer takes only types from the bridge',
    from: { path: '^renderer/' },
    to: { path: '^electron/bridge/', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'what runs in a browser imports nothing of Node',
    from: { path: ['^server/contract/', '^electron/bridge/', '^renderer/'], pathNot: '/vite[.]config[.]ts$' },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'the bridge imports no package',
    from: { path: '^electron/bridge/' },
    to: { path: '(^|/)node_modules/' },
  },
  { name: 'no import goes in a circle', from: {}, to: { circular: true } },
  {
    name: 'every import leads somewhere',
    from: {},
    // The build makes up what is called virtual.
    to: { couldNotResolve: true, pathNot: '^virtual:' },
  },
];

async function readModules(baseDir: string): Promise<ICruiseResult> {
  const projects = PROJECTS.filter((project) => sourcesOf(baseDir, project).length > 0);
  const { output } = await cruise(
    projects,
    {
      baseDir,
      validate: true,
      ruleSet: { forbidden: RULES },
      // Imports of types are arrows too.
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
    },
    { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  );
  if (typeof output === 'string') throw new Error(`dependency-cruiser answered with text: ${output}`);
  return output;
}

function sourcesOf(baseDir: string, project: string): string[] {
  return readdirSync(join(baseDir, project), { recursive: true, encoding: 'utf8' })
    .filter((path) => /[.]tsx?$/.test(path))
    .map((path) => join(project, path).replaceAll('\\', '/'));
}

function violationsOf({ summary }: ICruiseResult): string[] {
  return summary.violations
    .map(({ rule, from, to, unresolvedTo, cycle }) => {
      const isOurs = PROJECTS.some((project) => to.startsWith(`${project}/`));
      const path = cycle?.map(({ name }) => name) ?? [isOurs ? to : (unresolvedTo ?? to)];
      return `${[from, ...path].join(' -> ')}: ${rule.name}`;
    })
    .sort();
}

/** Every source stands in a part of the table, so that a new domain has to find its place there first. */
function strangersOf(baseDir: string): string[] {
  const paths = Object.keys(PARTS).map((part) => new RegExp(pathOf(part)));
  const sources = PROJECTS.flatMap((project) => sourcesOf(baseDir, project));
  return sources.filter((source) => !paths.some((path) => path.test(source)));
}

function namelessOf(baseDir: string): string[] {
  const sources = PROJECTS.flatMap((project) => sourcesOf(baseDir, project));
  return sources.filter((source) => {
    const words = [...source.split('/').slice(0, -1), basename(source).replace(/[.].*$/, '')];
    return words.some((word) => NAMES_THAT_SAY_NOTHING.includes(word.toLowerCase()));
  });
}

describe('the source', () => {
  let modules: ICruiseResult;
  beforeAll(async () => {
    modules = await readModules(ROOT);
  });

  it('the source is read whole', () => {
    const read = new Set(modules.modules.map(({ source }) => source));
    const sources = PROJECTS.flatMap((project) => sourcesOf(ROOT, project)).filter(
      (path) => !path.endsWith('.d.ts'),
    );
    expect(sources.filter((source) => source.startsWith('server/contract/'))).not.toHaveLength(0);
    expect(sources.filter((source) => !read.has(source))).toEqual([]);
  });

  it('the source imports only along the arrows, and never in a circle', () => {
    expect(violationsOf(modules)).toEqual([]);
  });

  it('the source has no domain that the table does not know', () => {
    expect(strangersOf(ROOT)).toEqual([]);
  });

  it('the source has no file or folder whose name says nothing', () => {
    expect(namelessOf(ROOT)).toEqual([]);
  });
});

describe('the bad example', () => {
  const expected = [
    'electron/bridge/takesContract.ts -> server/contract/target.ts: electron/bridge keeps to its arrows',
    'electron/bridge/takesPackage.ts -> zod: the bridge imports no package',
    'electron/takesMain.ts -> server/main.ts: electron keeps to its arrows',
    'renderer/takesBridge.ts -> electron/bridge/target.ts: renderer takes only types from the bridge',
    'renderer/takesHttp.ts -> server/http/target.ts: renderer keeps to its arrows',
    'server/app.ts -> server/commands/target.ts: server/app keeps to its arrows',
    'server/auth/takesGeofences.ts -> server/geofences/target.ts: server/auth keeps to its arrows',
    'server/backup/takesStream.ts -> server/stream/target.ts: server/backup keeps to its arrows',
    'server/boundedCache.ts -> server/contract/target.ts: server/boundedCache keeps to its arrows',
    'server/build.ts -> server/contract/target.ts: server/build keeps to its arrows',
    'server/clock.ts -> server/store/target.ts: server/clock keeps to its arrows',
    'server/commands/takesUsers.ts -> server/users/target.ts: server/commands keeps to its arrows',
    'server/config.ts -> server/store/target.ts: server/config keeps to its arrows',
    'server/contract/takesNode.ts -> path: what runs in a browser imports nothing of Node',
    'server/contract/takesStartWorker.ts -> server/startWorker.ts: server/contract keeps to its arrows',
    'server/deadlineTimers.ts -> server/contract/target.ts: server/deadlineTimers keeps to its arrows',
    'server/drivers/takesAuth.ts -> server/auth/target.ts: server/drivers keeps to its arrows',
    'server/fairQueue.ts -> server/contract/target.ts: server/fairQueue keeps to its arrows',
    'server/geofences/takesTelemetry.ts -> server/telemetry/target.ts: server/geofences keeps to its arrows',
    'server/groups/circle.ts -> server/groups/halfCircle.ts -> server/groups/circle.ts: no import goes in a circle',
    'server/groups/takesVehicles.ts -> server/vehicles/target.ts: server/groups keeps to its arrows',
    'server/history/takesVideo.ts -> server/video/target.ts: server/history keeps to its arrows',
    'server/http/takesUsers.ts -> server/users/target.ts: server/http keeps to its arrows',
    'server/incidents/takesStream.ts -> server/stream/target.ts: server/incidents keeps to its arrows',
    'server/main.ts -> server/stream/target.ts: server/main keeps to its arrows',
    'server/maps/takesUsers.ts -> server/users/target.ts: server/maps keeps to its arrows',
    'server/notifications/takesReportsLater.ts -> server/reports/target.ts: server/notifications keeps to its arrows',
    'server/pipeline.ts -> server/config.ts: server/pipeline keeps to its arrows',
    'server/places/takesUsers.ts -> server/users/target.ts: server/places keeps to its arrows',
    'server/preview/takesReports.ts -> server/reports/target.ts: server/preview keeps to its arrows',
    'server/remote/takesStore.ts -> server/store/target.ts: server/remote keeps to its arrows',
    'server/reports/takesVideo.ts -> server/video/target.ts: server/reports keeps to its arrows',
    'server/settings/takesUsers.ts -> server/users/target.ts: server/settings keeps to its arrows',
    'server/shares/takesStream.ts -> server/stream/target.ts: server/shares keeps to its arrows',
    'server/shifts/takesStream.ts -> server/stream/target.ts: server/shifts keeps to its arrows',
    'server/startWorker.ts -> server/contract/target.ts: server/startWorker keeps to its arrows',
    'server/store/takesElectron.ts -> electron: only electron/ imports electron',
    'server/store/takesHttp.ts -> server/http/target.ts: server/store keeps to its arrows',
    'server/stream/takesUsers.ts -> server/users/target.ts: server/stream keeps to its arrows',
    'server/telemetry/takesTypeOfNotifications.ts -> server/notifications/target.ts: server/telemetry keeps to its arrows',
    'server/users/takesGroups.ts -> server/groups/target.ts: server/users keeps to its arrows',
    'server/users/takesTypeOfElectron.ts -> electron: only electron/ imports electron',
    'server/vehicles/takesAuth.ts -> server/auth/target.ts: server/vehicles keeps to its arrows',
    'server/vehicles/takesNothing.ts -> ./nowhere.ts: every import leads somewhere',
    'server/video/takesStream.ts -> server/stream/target.ts: server/video keeps to its arrows',
    'server/workerChannel.ts -> server/contract/target.ts: server/workerChannel keeps to its arrows',
  ];
  let violations: string[];
  beforeAll(async () => {
    violations = violationsOf(await readModules(BAD_EXAMPLE));
  });

  it('the bad example is reported, arrow by arrow, and nothing else of it is', () => {
    expect(violations).toEqual(expected);
  });

  it('the bad example breaks every rule', () => {
    const broken = new Set(violations.map((violation) => violation.replace(/^.*?: (?=[^:]*$)/, '')));
    expect(RULES.map(({ name }) => name).filter((name) => !broken.has(name ?? ''))).toEqual([]);
  });

  it('the bad example has a domain that the table does not know', () => {
    expect(strangersOf(BAD_EXAMPLE)).toEqual(['server/weather/target.ts']);
  });

  it('the bad example has a file and a folder whose names say nothing', () => {
    expect(namelessOf(BAD_EXAMPLE).sort()).toEqual([
      'renderer/maps/helpers/target.ts',
      'server/auth/index.ts',
    ]);
  });
});
