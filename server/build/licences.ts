import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Package {
  name: string;
  version: string;
  licence: string;
  /** As its authors wrote it; their own words must go along with their code. */
  text: string;
}

/**
 * The licences of the packages that a bundle is made from, as one text to go along with it.
 *
 * @param root the project's folder
 * @param inputs paths of source files from there
 * @throws Error naming a package that states none
 */
export function licencesOf(root: string, inputs: Iterable<string>): string {
  const folders = new Set([...inputs].flatMap((path) => packageFolder(path) ?? []));
  const packages = [...folders].sort().map((folder) => readPackage(join(root, folder)));
  return packages
    .map(({ name, version, licence, text }) => `${name} ${version} (${licence})\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** `node_modules/a/node_modules/@b/c/d.js` lies in package `node_modules/a/node_modules/@b/c`. */
function packageFolder(path: string): string | null {
  const words = path.split('/');
  const start = words.lastIndexOf('node_modules') + 1;
  if (start === 0) return null;
  return words.slice(0, start + (words[start]?.startsWith('@') === true ? 2 : 1)).join('/');
}

function readPackage(folder: string): Package {
  const about: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const licence = textOf(about, 'license');
  if (licence === null) throw new Error(`${folder} states no licence.`);
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)([.]|$)/i.test(entry));
  const text =
    file === undefined
      ? `Its package brings no text; its licence is ${licence}.`
      : readFileSync(join(folder, file), 'utf8');
  const [name, version] = [textOf(about, 'name') ?? folder, textOf(about, 'version') ?? ''];
  return { name, version, licence, text: text.trim() };
}

function textOf(about: unknown, key: string): string | null {
  if (typeof about !== 'object' || about === null) return null;
  const value: unknown = Object.entries(about).find(([name]) => name === key)?.[1];
  return typeof value === 'string' ? value : null;
}
