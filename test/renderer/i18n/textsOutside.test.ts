import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const folderOf = (part: string) => fileURLToPath(new URL(`../../../${part}`, import.meta.url));
const root = folderOf('renderer');
const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) => !/^(i18n|format)\//.test(file));

/** Attributes that are read or read out. */
const READ = new Set(['aria-label', 'title', 'placeholder', 'label', 'hint', 'alt']);
/** Fields of what is shown. */
const NAMES = new Set(['label', 'name', 'text', 'title', 'body', 'hint', 'placeholder']);
/** Keys of the keyboard, an address as an example, and entities of HTML: no language translates them. */
const UNTRANSLATED = /^(Ctrl K|Esc|Enter|https:\/\/\S+|&\w+;)$/;
/** Its unit ends a number, or begins what follows one. */
const UNIT = /(^|[\s\u00a0])(km\/h|mph|km|mi|ft|l|gal)$/;
/** Codes of the contract for units, compared with and never shown. */
const isCode = (file: string, text: string): boolean =>
  text === 'km/h' || (file === 'settings/LanguageTab.tsx' && /^(km|mi|l|gal)$/.test(text));

function readSource(folder: string, file: string): ts.SourceFile {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const text = readFileSync(`${folder}/${file}`, 'utf8');
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
}

function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node;
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* nodesOf(child);
}

/** The texts that an expression may come to, without what is only compared or looked up with. */
function* literalsIn(node: ts.Node): Generator<string> {
  if (ts.isConditionalExpression(node)) {
    yield* literalsIn(node.whenTrue);
    yield* literalsIn(node.whenFalse);
  } else if (ts.isTemplateExpression(node)) {
    yield node.head.text;
    for (const { literal } of node.templateSpans) yield literal.text;
  } else if (ts.isStringLiteralLike(node)) yield node.text;
  else if (ts.isParenthesizedExpression(node)) yield* literalsIn(node.expression);
  else if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
    yield* literalsIn(node.right);
}

const found = { texts: [] as string[], units: [] as string[] };
for (const file of files) {
  for (const node of nodesOf(readSource(root, file))) {
    if (ts.isJsxText(node) && isText(node.text)) found.texts.push(`${file}: ${node.text.trim()}`);
    if (ts.isJsxAttribute(node) && READ.has(node.name.getText()) && node.initializer !== undefined) {
      const { initializer } = node;
      if (ts.isStringLiteral(initializer) && isText(initializer.text))
        found.texts.push(`${file}: ${initializer.text}`);
    }
    if (ts.isJsxExpression(node) && node.expression !== undefined) {
      const { parent } = node;
      if (!ts.isJsxAttribute(parent) || READ.has(parent.name.getText()))
        for (const text of literalsIn(node.expression))
          if (isText(text)) found.texts.push(`${file}: ${text}`);
    }
    // What begins as a sentence or a name does, where names are: a code does not.
    if (ts.isPropertyAssignment(node) && NAMES.has(node.name.getText()))
      for (const text of literalsIn(node.initializer))
        if (/^\p{Lu}\p{Ll}/u.test(text)) found.texts.push(`${file}: ${text}`);
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

/** What Electron's menus, boxes and icons are given to be read. */
const SHOWN = new Set(['label', 'message', 'detail', 'buttons', 'checkboxLabel', 'title', 'buttonLabel']);
const SHOWING = new Set(['showErrorBox', 'setToolTip', 'setOverlayIcon']);
const nameOf = (node: ts.Node) => (ts.isIdentifier(node) || ts.isStringLiteral(node) ? node.text : '');

/** Texts in what is shown, but for keys of the catalogue. */
function* textsIn(node: ts.Node): Generator<string> {
  for (const it of nodesOf(node)) {
    const text = ts.isStringLiteralLike(it) || ts.isTemplateHead(it) ? it.text : '';
    if (isText(text) && !/^[a-z_]+([.][a-z_]*)+$/.test(text)) yield text;
  }
}

it('every text of the desktop’s menus, boxes and icons stands in its catalogue', () => {
  const folder = folderOf('electron');
  // The watch writes records, of which a box says the kind alone.
  const others = /^(texts\/|bridge\/|watchState[.]ts$)/;
  const shells = globSync('**/*.ts', { cwd: folder }).filter((file) => !others.test(file));
  const texts = shells.flatMap((file) =>
    [...nodesOf(readSource(folder, file))].flatMap((node) => {
      const isShown =
        (ts.isPropertyAssignment(node) && SHOWN.has(nameOf(node.name))) ||
        (ts.isVariableDeclaration(node) && SHOWN.has(nameOf(node.name)));
      const shown = isShown && node.initializer !== undefined ? [node.initializer] : [];
      if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
        if (SHOWING.has(node.expression.name.text)) shown.push(...node.arguments);
      }
      return shown.flatMap((it) => [...textsIn(it)].map((text) => `${file}: ${text}`));
    }),
  );
  expect(shells.length).toBeGreaterThan(40);
  expect(texts).toEqual([]);
});
