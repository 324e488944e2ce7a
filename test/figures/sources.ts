import { globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PARTS = ['server', 'renderer', 'electron'];

/** A source file of the product: TypeScript or CSS. Its path is from the project's root, with slashes. */
export interface Source {
  path: string;
  text: string;
  lines: readonly string[];
}

export function readSources(): Source[] {
  return PARTS.flatMap((part) => globSync(`${part}/**/*.{ts,tsx,css}`, { cwd: ROOT }))
    .sort()
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      return { path: path.replaceAll('\\', '/'), text, lines: text.replace(/\n$/, '').split('\n') };
    });
}

export const isCode = ({ path }: Source): boolean => extname(path) !== '.css';

/** Units, formats and names of protocols read alike in several languages, under the keys that all of them have. */
const isTranslation = ({ path }: Source): boolean =>
  /(i18n|contract\/texts)\/(de|es|pt|ru|zh)(\/|\.ts$)/.test(path);

/** A run of lines that stands, letter for letter, at several places. `at`: `path:line`, from 1. */
export interface Duplicate {
  lines: number;
  at: string[];
}

/**
 * Runs of at least so many lines that stand more than once. Indentation and blank lines count for nothing; imports and
 * lines without a word (closing brackets) do not either, since no two files could do without them.
 */
export function duplicatesIn(sources: readonly Source[], least: number): Duplicate[] {
  const files = sources
    .filter((it) => !isTranslation(it))
    .map((source) => ({ source, kept: linesThatCount(source) }));
  const seen = new Map<string, [file: number, at: number][]>();
  for (const [file, { kept }] of files.entries()) {
    for (let at = 0; at + least <= kept.length; at++) {
      const key = kept
        .slice(at, at + least)
        .map((it) => it.text)
        .join('\n');
      seen.set(key, [...(seen.get(key) ?? []), [file, at]]);
    }
  }
  const found: Duplicate[] = [];
  const covered = new Set<string>();
  for (const places of seen.values()) {
    const [first] = places;
    if (places.length < 2 || first === undefined || covered.has(`${first[0]}:${first[1]}`)) continue;
    let lines = least;
    const lineOf = ([file, at]: [number, number], by: number) => files[file]?.kept[at + by]?.text;
    while (
      lineOf(first, lines) !== undefined &&
      places.every((it) => lineOf(it, lines) === lineOf(first, lines))
    )
      lines += 1;
    for (const [file, at] of places)
      for (let by = 0; by <= lines - least; by++) covered.add(`${file}:${at + by}`);
    const at = places.map(([file, start]) => {
      const { source, kept } = files[file] ?? {};
      return `${source?.path}:${kept?.[start]?.line}`;
    });
    found.push({ lines, at });
  }
  return found;
}

function linesThatCount({ path, text, lines }: Source): { line: number; text: string }[] {
  const imports = new Set<number>();
  if (!path.endsWith('.css')) {
    const parsed = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
    for (const statement of parsed.statements) {
      if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
      const first = parsed.getLineAndCharacterOfPosition(statement.getStart(parsed)).line;
      const last = parsed.getLineAndCharacterOfPosition(statement.end).line;
      for (let at = first; at <= last; at++) imports.add(at);
    }
  }
  return lines
    .map((it, at) => ({ line: at + 1, text: it.trim() }))
    .filter(({ line, text: it }) => !imports.has(line - 1) && /\w/.test(it));
}

/** Words that the field does not use, where they are a part of an identifier, of a style's name or of a text. */
const BANNED =
  /^(doors?|knock(s|ed|er)?|deeds?|wish(es|ed)?|veil(s|ed)?|untick(s|ed)?|told|tells|films?|desks?)$/i;
/** Where such a word is meant as it stands. */
const MEANT: Readonly<Record<string, RegExp>> = {
  // The doors of a vehicle.
  'server/telemetry/protocols/jt808/location.ts': /doors?/i,
  'server/telemetry/protocols/jt808/alarms.ts': /door/,
  'server/video/simulation/cabinScene.ts': /door/,
  // A key that 0.1.0 stored.
  'server/telemetry/vehicleState.ts': /told/,
};

export interface BannedWord {
  word: string;
  at: string;
  line: string;
}

export function bannedWordsIn(sources: readonly Source[]): BannedWord[] {
  return sources.flatMap(({ path, lines }) =>
    lines.flatMap((line, at) =>
      wordsOf(line)
        .filter((word) => BANNED.test(word) && MEANT[path]?.test(word) !== true)
        .map((word) => ({ word, at: `${path}:${at + 1}`, line: line.trim() })),
    ),
  );
}

/** Of `unknownTerminals_by-door`: unknown, Terminals, by, door. */
function wordsOf(line: string): string[] {
  return line.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
}
