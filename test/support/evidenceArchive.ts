import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromBufferPromise } from 'yauzl';
import { runVerify } from '../../server/commands/verify/runVerify.ts';

export async function unzipped(bytes: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for await (const entry of (await openedZip(bytes)).eachEntry()) {
    files.set(entry.fileName, await bytesOf(bytes, entry.fileName));
  }
  return files;
}

const openedZip = (bytes: Buffer) => fromBufferPromise(bytes, { lazyEntries: true });

async function bytesOf(bytes: Buffer, name: string): Promise<Buffer> {
  const zip = await openedZip(bytes);
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== name) continue;
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }
  throw new Error(`${name} is not in the archive`);
}

export async function verified(bytes: Buffer): Promise<{ code: number; lines: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'zip-'));
  try {
    const path = join(folder, 'evidence.zip');
    await writeFile(path, bytes);
    const lines: string[] = [];
    return { code: await runVerify([path], (line) => lines.push(line)), lines };
  } finally {
    await rm(folder, { recursive: true });
  }
}
