import { parseArgs } from 'node:util';
import { runSoak } from './runSoak.ts';

// Ten minutes of all that can befall terminals on their way, and a count of what arrived: `npm run soak`.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string' },
    /** Of each way to speak, of which there are nine. */
    terminals: { type: 'string', default: '12' },
    'no-restarts': { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
const terminalsOfEach = Number(values.terminals);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
if (!(minutes > 0) || !Number.isInteger(seed) || !(terminalsOfEach >= 1 && terminalsOfEach <= 1_000)) {
  process.stderr.write('soak: --minutes N --seed N --terminals 1..1000 --no-restarts\n');
  process.exit(2);
}

const isWell = await runSoak({
  ...{ seed, terminalsOfEach, paceMs: 2_500 },
  until: { ms: minutes * 60_000 },
  restarts: values['no-restarts'] ? 0 : Math.max(1, Math.round(minutes * 0.8)),
  print: (line) => void process.stdout.write(`${line}\n`),
});
// Terminals that were given up would go on.
process.exit(isWell ? 0 : 1);
