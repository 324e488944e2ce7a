import { benchFences } from './fences.ts';
import { benchFirstFrame } from './firstFrame.ts';
import { benchIntake } from './intake.ts';
import { benchLists } from './lists.ts';
import { benchPreview } from './preview.ts';
import { benchRemuxing } from './remuxing.ts';
import { benchStream } from './stream.ts';
import { benchTeltonika } from './teltonika.ts';
import { benchVideoFiles } from './videoFiles.ts';

// Numbers of one run on one machine, each beside what the same machine does without us: `npm run bench`.
await benchIntake();
await benchTeltonika();
benchFences();
await benchLists();
await benchStream();
await benchPreview();
await benchVideoFiles();
await benchRemuxing();
await benchFirstFrame();
