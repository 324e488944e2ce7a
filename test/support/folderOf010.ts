import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fromBufferPromise } from 'yauzl';

/** Some minutes after the folder was made: what is kept for days only is still there. */
export const soonAfter = Date.parse('2026-11-22T21:05:00Z');

/** A data folder as 0.1.0 left it: a dealer, two users, four vehicles (one archived), rules with recipients, a clip. */
export async function folderOf010(): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'fleetdeck-'));
  const bytes = await readFile(new URL('../fixtures/data-0.1.0.zip', import.meta.url));
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    const file = join(data, entry.fileName);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await zip.openReadStreamPromise(entry), { mode: 0o600 });
  }
  return data;
}
