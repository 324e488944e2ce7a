import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../renderer', import.meta.url));
const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) => !/^(i18n|format)\//.test(file));

/** Attributes that are read or read out. */
const READ = new Set(['aria-label', 'title', 'placeholder', 'label', 'hint', 'alt']);
/** Keys of the keyboard, an address as an example, and entities of HTML: no language translates them. */
const UNTRANSLATED = /^(Ctrl K|Esc|Enter|https:\/\/\S+|&\w+;)$/;
/** Its unit ends a number, or begins what follows one. */
const UNIT = /(^|[\s\u00a0])(km\/h|mph|km|mi|ft|l|gal)$/;
/** Codes of the contract for units, compared with and never shown. */
const isCode = (file: string, text: string): boolean =>
  text === 'km/h' || (file === 'settings/LanguageTab.tsx' && /^(km|mi|l|gal)$/.test(text));

function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node;
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* nodesOf(child);
}

const found = { texts: [] as string[], units: [] as string[] };
for (const file of files) {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(
    file,
    readFileSync(`${root}/${file}`, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    kind,
  );
  for (const node of nodesOf(source)) {
    if (ts.isJsxText(node) && isText(node.text)) found.texts.push(`${file}: ${node.text.trim()}`);
    if (ts.isJsxAttribute(node) && READ.has(node.name.getText()) && node.initializer !== undefined) {
      const { initializer } = node;
      if (ts.isStringLiteral(initializer) && isText(initializer.text))
        found.texts.push(`${file}: ${initializer.text}`);
    }
    const literal =
      ts.isStringLiteralLike(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node) ? node.text : '';
    if (UNIT.test(literal) && !isCode(file, literal) && !ts.isImportDeclaration(node.parent))
      found.units.push(`${file}: ${literal}`);
  }
}

function isText(text: string): boolean {
  return /\p{L}{2}/u.test(text) && !UNTRANSLATED.test(text.trim());
}

it('every text on the screen stands in the catalogue', () => {
  expect(files.length).toBeGreaterThan(300);
  expect(found.texts).toEqual([]);
});

it('every distance, speed and volume with its unit is written by renderer/format', () => {
  expect(found.units).toEqual([]);
});
