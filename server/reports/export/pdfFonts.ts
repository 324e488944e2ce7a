import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { inflateSync } from 'node:zlib';
import latin from '@fontsource/noto-sans/unicode.json' with { type: 'json' };
import arabic from '@fontsource/noto-sans-arabic/unicode.json' with { type: 'json' };
import hebrew from '@fontsource/noto-sans-hebrew/unicode.json' with { type: 'json' };
import korean from '@fontsource/noto-sans-kr/unicode.json' with { type: 'json' };
import chinese from '@fontsource/noto-sans-sc/unicode.json' with { type: 'json' };

import { uninterrupted } from '../../startWorker.ts';

export type Weight = 400 | 600;

interface Family {
  name: string;
  weights: readonly Weight[];
  /** Which letters each file has, by the end of its name. */
  subsets: Readonly<Record<string, string>>;
  wanted?: (subset: string) => boolean;
}

/** The first that has a letter draws it. Those of other scripts bring Latin letters too, which are not taken. */
const families: readonly Family[] = [
  { name: 'noto-sans', weights: [400, 600], subsets: latin },
  { name: 'noto-sans-arabic', weights: [400], subsets: arabic, wanted: (it) => it === 'arabic' },
  { name: 'noto-sans-hebrew', weights: [400], subsets: hebrew, wanted: (it) => it === 'hebrew' },
  { name: 'noto-sans-sc', weights: [400], subsets: chinese, wanted: isNumbered },
  { name: 'noto-sans-kr', weights: [400], subsets: korean, wanted: isNumbered },
];

/** Of a large script the letters are spread over a hundred files. */
function isNumbered(subset: string): boolean {
  return subset.startsWith('[');
}

interface FontFile {
  family: string;
  subset: string;
  weights: readonly Weight[];
}

interface Range {
  first: number;
  last: number;
  file: FontFile;
}

const fontFiles: readonly FontFile[] = families.flatMap(({ name, weights, subsets, wanted = () => true }) =>
  Object.keys(subsets)
    .filter(wanted)
    .map((subset) => ({ family: name, subset, weights })),
);

const fileName = ({ family, subset }: FontFile, weight: Weight): string =>
  `${family}-${subset.replaceAll(/[[\]]/g, '')}-${weight}-normal.woff`;

/** The names of all font files that documents may need. */
export const fontNames: readonly string[] = fontFiles.flatMap((file) =>
  file.weights.map((weight) => fileName(file, weight)),
);

const ranges: readonly Range[] = fontFiles.flatMap((file) => {
  const text = families.find((it) => it.name === file.family)?.subsets[file.subset] ?? '';
  return text.split(',').map((range) => {
    const [first = '', last = first] = range.replace(/^U[+]/i, '').split('-');
    return { first: parseInt(first, 16), last: parseInt(last, 16), file };
  });
});

/** Stands in for what no font has. */
const missing = '\uFFFD';

const known = new Map<number, FontFile | null>();

function fileFor(code: number): FontFile | null {
  let file = known.get(code);
  if (file === undefined) {
    file = ranges.find(({ first, last }) => code >= first && code <= last)?.file ?? null;
    known.set(code, file);
  }
  return file;
}

/**
 * The font file that draws a letter.
 *
 * @returns its name, and the letter to be drawn: another one where no font has it
 */
export function fontFor(letter: string, weight: Weight): { font: string; letter: string } {
  const file = fileFor(letter.codePointAt(0) ?? 0);
  if (file === null)
    return letter === missing ? { font: fontFile('latin', weight), letter } : fontFor(missing, weight);
  return { font: fileName(file, file.weights.includes(weight) ? weight : 400), letter };
}

const fontFile = (subset: string, weight: Weight) => `noto-sans-${subset}-${weight}-normal.woff`;

/** Where the files lie: in the packages when the sources run, in a folder beside the bundle. */
const isBundle = extname(import.meta.url) !== '.ts';

/** @throws Error of the system where a file is missing */
export function readFont(name: string): Buffer {
  const family = name.replace(/-(?:\d+|[a-z]+(?:-ext)?)-\d+-normal[.]woff$/, '');
  const path = isBundle ? `./fonts/${name}` : `../../../node_modules/@fontsource/${family}/files/${name}`;
  return unpackWoff(readFileSync(new URL(path, import.meta.url)));
}

/**
 * The font that a WOFF file packs (W3C, WOFF File Format 1.0, 4 and 5). The library would unpack it by itself, in
 * JavaScript and ten times as slow.
 */
function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const directory = Buffer.alloc(12 + 16 * count);
  directory.writeUInt32BE(woff.readUInt32BE(4), 0);
  directory.writeUInt16BE(count, 4);
  const pieces: Uint8Array[] = [directory];
  let end = directory.length;
  for (let at = 0; at < count; at++) {
    const entry = woff.subarray(44 + 20 * at, 64 + 20 * at);
    const [offset, packed, length] = [4, 8, 12].map((it) => entry.readUInt32BE(it));
    const body = woff.subarray(offset, (offset ?? 0) + (packed ?? 0));
    const table =
      packed === length ? body : uninterrupted(() => inflateSync(body, { maxOutputLength: length ?? 0 }));
    entry.copy(directory, 12 + 16 * at, 0, 4);
    entry.copy(directory, 16 + 16 * at, 16, 20);
    directory.writeUInt32BE(end, 20 + 16 * at);
    directory.writeUInt32BE(table.length, 24 + 16 * at);
    const padding = Buffer.alloc(-table.length & 3);
    pieces.push(table, padding);
    end += table.length + padding.length;
  }
  return Buffer.concat(pieces);
}
