import arabic from '@fontsource/noto-sans-arabic/unicode.json';
import hebrew from '@fontsource/noto-sans-hebrew/unicode.json';
import korean from '@fontsource/noto-sans-kr/unicode.json';
import chinese from '@fontsource/noto-sans-sc/unicode.json';
import devanagari from '@fontsource/noto-sans/unicode.json';
import type { StyleSpecification } from 'maplibre-gl';

/** Addresses of the font files, by their paths. */
const files = import.meta.glob<string>(
  [
    '../../node_modules/@fontsource/noto-sans/files/noto-sans-devanagari-400-normal.woff2',
    '../../node_modules/@fontsource/noto-sans-{arabic,hebrew}/files/*-{arabic,hebrew}-400-normal.woff2',
    '../../node_modules/@fontsource/noto-sans-{sc,kr}/files/*-[0-9]*-400-normal.woff2',
  ],
  { query: '?url', import: 'default', eager: true },
);

interface Script {
  /** How its files' names begin. */
  file: string;
  /** Which letters each file has, by the end of its name. */
  subsets: Readonly<Record<string, string>>;
  /** Blocks of Unicode. The files also bring punctuation, which the fonts of all labels have. */
  blocks: readonly (readonly [first: number, last: number])[];
}

const scripts: readonly Script[] = [
  { file: 'noto-sans-arabic', subsets: arabic, blocks: [[0x0600, 0x08ff], [0xfb50, 0xfeff]] }, // prettier-ignore
  { file: 'noto-sans-hebrew', subsets: hebrew, blocks: [[0x0590, 0x05ff], [0xfb1d, 0xfb4f]] }, // prettier-ignore
  { file: 'noto-sans', subsets: devanagari, blocks: [[0x0900, 0x097f]] },
  { file: 'noto-sans-kr', subsets: korean, blocks: [[0x1100, 0x11ff], [0x3130, 0x318f], [0xac00, 0xd7ff]] }, // prettier-ignore
  { file: 'noto-sans-sc', subsets: chinese, blocks: [[0x2e80, 0x312f], [0x3190, 0xabff], [0xf900, 0xfaff], [0xff00, 0xffef]] }, // prettier-ignore
];

/**
 * Font files of the scripts that few maps need, so that labels in them do not depend on what the machine has: Arabic,
 * Hebrew, Devanagari, Korean, Chinese with the kana of Japanese. MapLibre fetches each when the first label needs a
 * letter of it; it joins Arabic letters and turns lines from right to left by itself.
 */
export const fontFaces: NonNullable<StyleSpecification['font-faces']>[string] = scripts.flatMap(
  ({ file, subsets, blocks }) =>
    Object.entries(subsets).flatMap(([subset, range]) => {
      const ranges = range.split(',').filter((it) => {
        const first = parseInt(it.replace(/^U[+]/i, ''), 16);
        return blocks.some((block) => first >= block[0] && first <= block[1]);
      });
      const end = `${subset.replace(/[[\]]/g, '')}-400-normal.woff2`;
      const url = Object.entries(files).find(([path]) => path.endsWith(`/${file}-${end}`))?.[1];
      // Without any range a file would stand for all letters.
      return url === undefined || ranges.length === 0 ? [] : [{ url, 'unicode-range': ranges }];
    }),
);
