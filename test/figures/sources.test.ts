import { expect, it } from 'vitest';
import { bannedWordsIn, duplicatesIn, readSources, type Source } from './sources.ts';

function source(path: string, text: string): Source {
  return { path, text, lines: text.split('\n') };
}

it('no source of the product uses a word that the field does not use', () => {
  expect(bannedWordsIn(readSources())).toEqual([]);
});

it('no six lines of the product stand twice', () => {
  expect(duplicatesIn(readSources(), 6)).toEqual([]);
});

it('a banned word is found as a part of an identifier, of a style and of a text', () => {
  const found = bannedWordsIn([
    source('server/a.ts', "const intakeDoors = 'It told us';\nconst doorstep = 1;"),
    source('renderer/a.css', '.knock-list {}'),
  ]);
  expect(found.map(({ word, at }) => `${word} ${at}`)).toEqual([
    'Doors server/a.ts:1',
    'told server/a.ts:1',
    'knock renderer/a.css:1',
  ]);
});

it('a run of lines that stands twice is found once, whole, whatever its indentation', () => {
  const lines = ['one();', 'two();', 'three();'];
  const found = duplicatesIn(
    [
      source('server/a.ts', ['start();', ...lines, 'end();'].join('\n')),
      source('server/b.ts', ['if (x) {', ...lines.map((it) => `  ${it}`), '}', 'other();'].join('\n')),
    ],
    2,
  );
  expect(found).toEqual([{ lines: 3, at: ['server/a.ts:2', 'server/b.ts:2'] }]);
});

it('imports and closing brackets are no duplicates', () => {
  const text = ["import { a } from './a.ts';", "import { b } from './b.ts';", '}', ']', '}'].join('\n');
  expect(duplicatesIn([source('server/a.ts', text), source('server/b.ts', text)], 2)).toEqual([]);
});
