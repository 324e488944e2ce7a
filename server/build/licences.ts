import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Package {
  name: string;
  version: string;
  licence: string;
  /** As its authors wrote it; their own words must go along with their code. */
  text: string;
}

/**
 * The licences of the packages that a bundle is made from.
 *
 * @param root the project's folder
 * @param inputs paths of source files from there
 * @throws Error naming a package that states none, or whose text is not known
 */
export function packagesOf(root: string, inputs: Iterable<string>): Package[] {
  const folders = new Set([...inputs].flatMap((path) => packageFolder(path) ?? []));
  return [...folders].sort().map((folder) => readPackage(join(root, folder)));
}

/** The same as one text to go along with the bundle. */
export function licencesOf(packages: readonly Package[]): string {
  return packages
    .map(({ name, version, licence, text }) => `${name} ${version} (${licence})\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** What the page is made from, as its build has listed it. @throws Error when the console was not built before */
export function consoleInputs(): string[] {
  const file = join(ROOT, 'dist', 'console-inputs.json');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new Error('Build the console first: npm run build:console.');
  }
  return z.array(z.string()).parse(JSON.parse(text));
}

/** For "About" in the console: its version, and the packages that the program is made from. */
export function writeConsoleLicences(packages: readonly Package[]): void {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  writeFileSync(join(ROOT, 'dist', 'console', 'licences.json'), JSON.stringify({ version, packages }));
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
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)([.-]|$)/i.test(entry));
  const own = file === undefined ? null : readFileSync(join(folder, file), 'utf8').trim();
  const licence = textOf(about, 'license') ?? titleOf(own);
  if (licence === null) throw new Error(`${folder} states no licence.`);
  const [name, version] = [textOf(about, 'name') ?? folder, textOf(about, 'version') ?? ''];
  const text = own ?? standardText(folder, licence, textOf(about, 'author') ?? `the authors of ${name}`);
  return { name, version, licence, text: text.trim() };
}

/** The licence that a text says it is in its first line; null for any but those that do. */
function titleOf(text: string | null): string | null {
  return text !== null && /^(The )?MIT Licen[cs]e/i.test(text) ? 'MIT' : null;
}

/** Of a package that names its licence and brings no text of it. */
function standardText(folder: string, licence: string, authors: string): string {
  const terms = STANDARD_TERMS[licence];
  if (terms === undefined) throw new Error(`${folder} brings no text of its licence, ${licence}.`);
  return `Copyright (c) ${authors}\n\n${terms}`;
}

function textOf(about: unknown, key: string): string | null {
  if (typeof about !== 'object' || about === null) return null;
  const value: unknown = Object.entries(about).find(([name]) => name === key)?.[1];
  return typeof value === 'string' ? value : null;
}

/** spdx.org/licenses */
const STANDARD_TERMS: Readonly<Record<string, string>> = {
  MIT: `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
  'BSD-3-Clause': `Redistribution and use in source and binary forms, with or without modification, are permitted provided that the
following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this list of conditions and the following
   disclaimer.
2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following
   disclaimer in the documentation and/or other materials provided with the distribution.
3. Neither the name of the copyright holder nor the names of its contributors may be used to endorse or promote
   products derived from this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES,
INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL,
SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY,
WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF
THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.`,
};

if (import.meta.main) writeConsoleLicences(packagesOf(ROOT, consoleInputs()));
