import { parseArgs } from 'node:util';
import { allAttacks } from './attacks.ts';
import { nameOf } from './attack.ts';
import { makeDepot, wholeDepot } from './depot.ts';
import { meetsTarget, runAttack, target, type Outcome } from './runAttack.ts';
import { headLine, rowOf } from './table.ts';

// What the costliest calls that the contract allows do to everybody else: `npm run abuse`. One: `--only createGeofence`,
// with all its variants, or `--only createGeofence:holes`; shorter: `--seconds 5`; a larger depot: `--vehicles 5000`;
// what there is: `--list`.
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    seconds: { type: 'string', default: '30' },
    vehicles: { type: 'string', default: String(wholeDepot.vehicles) },
    list: { type: 'boolean', default: false },
  },
});

const wanted = allAttacks.filter((attack) => {
  const name = nameOf(attack);
  return values.only === undefined || values.only.some((it) => name === it || name.startsWith(`${it}:`));
});
for (const name of values.only ?? [])
  if (!allAttacks.some((it) => nameOf(it) === name || nameOf(it).startsWith(`${name}:`)))
    throw new Error(`there is no attack ${name}; --list names them`);

if (values.list) for (const attack of wanted) console.log(`${nameOf(attack).padEnd(30)} ${attack.does}`);
else process.exitCode = (await attackAll(Number(values.seconds), Number(values.vehicles))) ? 0 : 1;

/** Answers whether all met the target. */
async function attackAll(seconds: number, vehicles: number): Promise<boolean> {
  console.error(`abuse: a depot of ${vehicles} vehicles is made`);
  const depot = await makeDepot({ ...wholeDepot, vehicles });
  const outcomes: Outcome[] = [];
  try {
    for (const [at, attack] of wanted.entries()) {
      console.error(`abuse: ${at + 1} of ${wanted.length}, ${nameOf(attack)}: ${attack.does}`);
      const outcome = await runAttack(depot, attack, seconds);
      outcomes.push(outcome);
      console.error(`  ${rowOf(outcome)}`);
    }
  } finally {
    await depot.remove();
  }
  const missed = outcomes.filter((it) => !meetsTarget(it)).length;
  console.log(
    `At most ${seconds} s each (less once all that a minute permits is answered), against a depot of ${vehicles} vehicles; target: /me p99 < ${target.p99_ms} ms, < ${target.memory_MB} MB more`,
  );
  console.log(headLine);
  for (const outcome of outcomes) console.log(rowOf(outcome));
  console.log(`${outcomes.length} attacks, ${missed} beyond the target`);
  return missed === 0;
}
