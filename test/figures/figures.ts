import { bannedWordsIn, duplicatesIn, isCode, readSources } from './sources.ts';

// The sizes that tell whether the code stays one to own: `npm run figures`. With `--paths`, also the files that one
// position runs through from the socket to the map, and one clip from the key to the picture (Chromium is needed).

const sources = readSources();
const count = (part: string) => {
  const of = sources.filter((it) => it.path.startsWith(`${part}/`));
  const lines = of.reduce((sum, it) => sum + it.lines.length, 0);
  return { lines, files: of.filter(isCode).length };
};
const parts = ['server', 'renderer', 'electron'].map((part) => ({ part, ...count(part) }));
const sum = (key: 'lines' | 'files') => parts.reduce((all, it) => all + it[key], 0);

console.log('part          lines  files without CSS');
for (const { part, lines, files } of [...parts, { part: 'all', lines: sum('lines'), files: sum('files') }])
  console.log(`${part.padEnd(10)} ${String(lines).padStart(8)} ${String(files).padStart(6)}`);

const duplicates = duplicatesIn(sources, 6);
console.log(`\nidentical runs of six lines or more: ${duplicates.length}`);
for (const { lines, at } of duplicates) console.log(`  ${lines} lines: ${at.join(', ')}`);

const banned = bannedWordsIn(sources);
console.log(`\nwords that the field does not use: ${banned.length}`);
for (const { word, at, line } of banned) console.log(`  ${word}: ${at}: ${line.slice(0, 100)}`);

if (process.argv.includes('--paths')) {
  const { pathOfClip, pathOfPosition } = await import('./paths.ts');
  for (const [name, pathOf] of [
    ['a position, from the socket to the map', pathOfPosition],
    ['a clip, from the key to the picture', pathOfClip],
  ] as const) {
    const path = await pathOf();
    console.log(`\n${name}: ${path.length} files`);
    for (const file of path) console.log(`  ${file}`);
  }
}
