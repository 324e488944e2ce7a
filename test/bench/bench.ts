import { parseArgs } from 'node:util';
import { benchFences } from './fences.ts';
import { benchFirstFrame } from './firstFrame.ts';
import { benchIntake } from './intake.ts';
import { benchLists } from './lists.ts';
import { benchPreview } from './preview.ts';
import { benchRemuxing } from './remuxing.ts';
import { benchStream } from './stream.ts';
import { benchTeltonika } from './teltonika.ts';
import { benchVideoFiles } from './videoFiles.ts';

// Numbers of one run on one machine, each beside what the same machine does without us: `npm run bench`. Some alone:
// `npm run bench -- teltonika --minutes 10`.
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string' } },
});
const minutes = values.minutes === undefined ? undefined : Number(values.minutes);

const benches: Record<string, () => Promise<void> | void> = {
  intake: benchIntake,
  teltonika: () => benchTeltonika(minutes),
  fences: benchFences,
  lists: benchLists,
  stream: benchStream,
  preview: benchPreview,
  videoFiles: benchVideoFiles,
  remuxing: benchRemuxing,
  firstFrame: benchFirstFrame,
};

for (const name of positionals) if (!(name in benches)) throw new Error(`there is no bench ${name}`);
for (const [name, bench] of Object.entries(benches)) {
  if (positionals.length === 0 || positionals.includes(name)) await bench();
}
