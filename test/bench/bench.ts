import { benchFences } from './fences.ts';
import { benchIntake } from './intake.ts';
import { benchLists } from './lists.ts';
import { benchPreview } from './preview.ts';
import { benchStream } from './stream.ts';

// Numbers of one run on one machine, each beside what the same machine does without us: `npm run bench`.
await benchIntake();
benchFences();
await benchLists();
await benchStream();
await benchPreview();
