import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { accessUnits } from '../../../../../server/video/media/raw/accessUnits.ts';
import type { PictureReader } from '../../../../../server/video/media/raw/pictures.ts';

/** Reads a language of its own: o opens, p begins a picture, any other letter belongs. */
const reader: PictureReader = {
  read(nal) {
    const letter = String.fromCharCode(nal[0] ?? 0);
    const picture = { isKey: false, startsSequence: false, skipped: false, order: null };
    return { opens: letter === 'o', picture: letter === 'p' ? picture : null };
  },
  format: () => null,
  parameterSets: () => [],
  keepsOrder: () => true,
  trouble: () => null,
};

it.each([
  ['oopss', ['oopss']],
  ['popsop', ['p', 'ops', 'op']],
  ['ppp', ['p', 'p', 'p']],
  ['ssopeoop', ['ssope', 'oop']],
  ['opo', ['op']],
  ['oos', []],
])('the NAL units %s are the pictures %j', async (units, pictures) => {
  const folder = await mkdtemp(join(tmpdir(), 'units-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'stream');
  await writeFile(path, units.replaceAll(/./g, '\0\0\x01$&'), 'latin1');
  const file = await open(path, 'r');
  onTestFinished(() => file.close());
  const found: string[] = [];
  for await (const { nals } of accessUnits(file, reader, () => undefined)) {
    found.push(nals.map((nal) => String.fromCharCode(...nal)).join(''));
  }
  expect(found).toEqual(pictures);
});
