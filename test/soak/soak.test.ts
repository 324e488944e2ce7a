import { expect, test } from 'vitest';
import { runSoak } from './runSoak.ts';

test('all that terminals of every protocol meant to say is there in the end, once, whatever befell it', async () => {
  const lines: string[] = [];
  const isWell = await runSoak({
    ...{ seed: Math.floor(Math.random() * 1_000_000), terminalsOfEach: 2, restarts: 1, paceMs: 20 },
    until: { positions: 1_500 },
    print: (line) => lines.push(line),
  });
  expect(isWell, lines.join('\n')).toBe(true);
}, 120_000);
