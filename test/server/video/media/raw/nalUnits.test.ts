import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  accessUnits,
  beginsWithStartCode,
  nalUnits,
} from '../../../../../server/video/media/raw/nalUnits.ts';
import type { PictureReader } from '../../../../../server/video/media/raw/pictures.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nal-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function split(bytes: Buffer): Promise<Buffer[]> {
  const path = join(folder, 'stream');
  await writeFile(path, bytes);
  const file = await open(path, 'r');
  try {
    const found: Buffer[] = [];
    for await (const nal of nalUnits(file)) found.push(Buffer.from(nal));
    return found;
  } finally {
    await file.close();
  }
}

/** Bytes that hold no start code, and do not end in a zero. */
const unit = fc.tuple(fc.integer({ min: 1, max: 700_000 }), fc.integer({ min: 1, max: 255 }));
const code = fc.constantFrom('000001', '00000001', '0000000001');

describe('the NAL units of a byte stream', () => {
  it('the NAL units of a byte stream are found wherever the reads of the file begin and end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(code, unit), { minLength: 1, maxLength: 8 }), async (list) => {
        const nals = list.map(([, [length, fill]]) => Buffer.alloc(length, fill));
        const stream = Buffer.concat(
          list.flatMap(([start], i) => [Buffer.from(start, 'hex'), nals[i] ?? Buffer.alloc(0)]),
        );
        const found = await split(stream);
        expect(found.map((it) => it.length)).toEqual(nals.map((it) => it.length));
        found.forEach((nal, i) => expect(nal.equals(nals[i] ?? Buffer.alloc(0))).toBe(true));
      }),
      { numRuns: 20 },
    );
  });

  it('the NAL units of a byte stream are found when a start code lies across the border of two reads', async () => {
    for (const back of [1, 2, 3, 4]) {
      const first = Buffer.alloc(1024 * 1024 - 4 - back, 0x55);
      const stream = Buffer.concat([Buffer.from([0, 0, 0, 1]), first, Buffer.from([0, 0, 0, 1, 7, 8])]);
      expect((await split(stream)).map((it) => it.length)).toEqual([first.length, 2]);
    }
  });

  it('the NAL units of a byte stream are none in empty files, and none are empty', async () => {
    expect(await split(Buffer.alloc(0))).toEqual([]);
    expect(await split(Buffer.from([0, 0, 1, 0, 0, 1, 0, 0, 0, 1]))).toEqual([]);
    expect(await split(Buffer.from([9, 9, 0, 0, 1, 5, 0, 0]))).toEqual([Buffer.from([5])]);
  });

  it('the NAL units of a byte stream may only be looked for where a file begins with a start code', () => {
    expect(beginsWithStartCode(Buffer.from('0000000167', 'hex'))).toBe(true);
    expect(beginsWithStartCode(Buffer.from('00000167', 'hex'))).toBe(true);
    expect(beginsWithStartCode(Buffer.from('000167', 'hex'))).toBe(false);
    expect(beginsWithStartCode(Buffer.from('00000267', 'hex'))).toBe(false);
    expect(beginsWithStartCode(Buffer.alloc(8))).toBe(false);
  });
});

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
