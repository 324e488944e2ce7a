import { createFakeClock } from '../../support/fakeClock.ts';
import { startTestHost } from '../../support/testHost.ts';

// A host in a process of its own, to be killed: its clock stands at the given moment, and moves by each message (ms).
const [start = '', data] = process.argv.slice(2);
const clock = createFakeClock(Number(start));
const host = await startTestHost({ clock, ...(data === undefined ? {} : { data }) });
process.on('message', (ms) => clock.advance(Number(ms)));
process.send?.({ data: host.data, url: host.url, intakeUrl: host.intakeUrl });
