import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from '../temporaryFolder.ts';
import { openPeople, people, textOf } from './people.ts';

const file = z.object({ schema: z.literal(1), data: people });
const writer = fileURLToPath(new URL('./crashingWriter.ts', import.meta.url));

/** Kills the writer after it has said `lines` lines, and returns all that it said. */
async function writeUntilKilled(folder: string, lines: number): Promise<number[]> {
  const child = spawn(process.execPath, [writer, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (text.split('\n').length > lines) child.kill('SIGKILL');
  });
  expect(await gone).toEqual([null, 'SIGKILL']);
  // What follows the last line end is a line that the kill cut short.
  return text.split('\n').slice(0, -1).map(Number);
}

test('acknowledged changes survive twenty kills, and the file is whole after each', async () => {
  const folder = await temporaryFolder();
  for (let kill = 1; kill <= 20; kill++) {
    const acknowledged = await writeUntilKilled(folder, kill * 3);
    expect(acknowledged.length).toBeGreaterThanOrEqual(kill * 3);

    file.parse(JSON.parse(await textOf(folder, 'people.json')));

    const { document, recoveries, close } = await openPeople(folder);
    for (const index of acknowledged) expect(document.data.people).toHaveProperty(`person ${index}`, index);
    expect(recoveries.pending()).toEqual([]);
    await close();
  }
}, 240_000);
