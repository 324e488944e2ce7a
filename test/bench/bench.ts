import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { benchFences } from './fences.ts';
import { benchFirstFrame } from './firstFrame.ts';
import { benchIntake } from './intake.ts';
import { benchLists } from './lists.ts';
import { benchPreview } from './preview.ts';
import { benchRemuxing } from './remuxing.ts';
import { benchStream } from './stream.ts';
import { benchDecoder, benchFull, benchIdle, benchSteady, shortly_min } from './teltonika.ts';
import { benchVideoFiles } from './videoFiles.ts';

// Numbers of one run on one machine, each beside what the same machine does without us: `npm run bench`. Some alone, by
// how their names begin: `npm run bench -- teltonika --minutes 10`.
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string' }, rate: { type: 'string' } },
});

const benches: Record<string, () => Promise<void> | void> = {
  intake: benchIntake,
  teltonikaIdle: benchIdle,
  teltonikaDecoder: benchDecoder,
  async teltonikaRoad() {
    const rate = (await benchFull()) / 2;
    runApart('steadyTeltonika', { ...values, rate: String(rate) });
  },
  fences: benchFences,
  lists: benchLists,
  stream: benchStream,
  preview: benchPreview,
  videoFiles: benchVideoFiles,
  remuxing: benchRemuxing,
  firstFrame: benchFirstFrame,
};

/** What others run with what they have found out. */
const parts: Record<string, () => Promise<void>> = {
  steadyTeltonika: () => benchSteady(Number(values.rate), Number(values.minutes ?? shortly_min)),
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
