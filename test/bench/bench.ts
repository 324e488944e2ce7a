import { benchIntake } from './intake.ts';
import { benchLists } from './lists.ts';
import { benchStream } from './stream.ts';

// Numbers of one run on one machine, each beside what the same machine does without us: `npm run bench`.
await benchIntake();
await benchLists();
await benchStream();
