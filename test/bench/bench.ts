import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
// Numbers of one run on one machine, each beside what the same machine does without us: `npm run bench`. Some alone, by
// how their names begin: `npm run bench -- teltonika --minutes 10`.
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string' }, rate: { type: 'string' } },
});

// Each loads its own files alone: what lies in the heap beside a bench makes the garbage grow that is left lying there.
const teltonika = () => import('./teltonika.ts');
const benches: Record<string, () => Promise<void>> = {
  intake: async () => (await import('./intake.ts')).benchIntake(),
  teltonikaIdle: async () => (await teltonika()).benchIdle(),
  teltonikaDecoder: async () => (await teltonika()).benchDecoder(),
  async teltonikaRoad() {
    const rate = (await (await teltonika()).benchFull()) / 2;
    runApart('steadyTeltonika', { ...values, rate: String(rate) });
  },
  geofences: async () => (await import('./geofences.ts')).benchGeofences(),
  lists: async () => (await import('./lists.ts')).benchLists(),
  mapTiles: async () => (await import('./maps.ts')).benchMapTiles(),
  placesReverse: async () => (await import('./places.ts')).benchPlacesReverse(),
  placesSearch: async () => (await import('./places.ts')).benchPlacesSearch(),
  stream: async () => (await import('./stream.ts')).benchStream(),
  reports: async () => (await import('./reports.ts')).benchReports(),
  preview: async () => (await import('./preview.ts')).benchPreview(),
  videoFiles: async () => (await import('./videoFiles.ts')).benchVideoFiles(),
  remuxing: async () => (await import('./remuxing.ts')).benchRemuxing(),
  history: async () => (await import('./history.ts')).benchHistory(),
  firstFrame: async () => (await import('./firstFrame.ts')).benchFirstFrame(),
};

/** What others run with what they have found out. */
const parts: Record<string, () => Promise<void>> = {
  async steadyTeltonika() {
    const { benchSteady, shortly_min } = await teltonika();
    await benchSteady(Number(values.rate), Number(values.minutes ?? shortly_min));
  },
};

/** In a process of its own: what one bench leaves behind would be measured by the next. */
function runApart(name: string, options: Record<string, string | undefined>): void {
  const words = Object.entries(options).flatMap(([key, value]) =>
    value === undefined ? [] : [`--${key}`, value],
  );
  const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), name, ...words], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`the bench ${name} has failed`);
}

const [only = ''] = positionals;
const alone = positionals.length === 1 ? (benches[only] ?? parts[only]) : undefined;
if (alone !== undefined) await alone();
else {
  const names = Object.keys(benches);
  for (const word of positionals)
    if (!names.some((name) => name.startsWith(word))) throw new Error(`there is no bench ${word}`);
  for (const name of names)
    if (positionals.length === 0 || positionals.some((word) => name.startsWith(word))) runApart(name, values);
}
