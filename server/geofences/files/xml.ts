import { causeOf } from '../../contract/causeTexts.ts';
import { geofenceLimits } from '../../contract/geofenceGeometry.ts';
import { FileError, FileTooLarge } from './feature.ts';

/** An element; names count without their prefix. */
export interface XmlElement {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
  /** What stands in the element itself, not in those below it. */
  text: string;
}

interface Open extends XmlElement {
  /** With its prefix, as the end tag repeats it. */
  tag: string;
  start: number;
}

const nameStart = 'A-Za-z_:\\u0080-\\uffff';
/** Of XML only: other spaces count as letters here, and a run of what is both would be tried in every division. */
const space = '[ \\t\\n]';
const tagName = new RegExp(`[${nameStart}][${nameStart}0-9.-]*`, 'y');
const attribute = new RegExp(
  `${space}+([${nameStart}][${nameStart}0-9.-]*)${space}*=${space}*(?:"([^"<]*)"|'([^'<]*)')`,
  'y',
);
const tagEnd = new RegExp(`${space}*(/?)>`, 'y');

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const maxReference = 34;
/** Pieces of a text that are joined at a time. */
const partsTogether = 10_000;

// Own: the library saxes 6.0.0 took 318 ms for 500,000 corners instead of 35, and 173 MB for a DOCTYPE of 8 MB instead of 1.

/**
 * The root of a document of XML 1.0. Read in one pass whose steps are as many as its characters; what it may hold is
 * counted on the way. There are no document types, so that nothing swells; prefixes need no declaration.
 *
 * @param options.maxElements by default those of a file of geofences
 * @param options.take called with each element as it ends; one that is taken is not kept in the document
 * @throws FileError with the line for what is not XML, declares a document type, or is nested too deeply; FileTooLarge
 */
export function parseXml(
  source: string,
  {
    maxElements = geofenceLimits.elements,
    take,
  }: { maxElements?: number; take?: (element: XmlElement) => boolean } = {},
): XmlElement {
  const text = source.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const open: Open[] = [];
  const roots: Open[] = [];
  let elements = 0;
  let at = 0;

  const lineOf = (place = at) => ({ line: String(lineAt(text, place)) });

  /** The next place behind a mark that has to come. */
  function behind(mark: string, from: number, what: string): number {
    const found = text.indexOf(mark, from);
    if (found < 0) throw new FileError(causeOf('xml.unclosed', { ...lineOf(), what }));
    return found + mark.length;
  }

  function match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  }

  function addText(piece: string): void {
    const holder = open.at(-1);
    if (holder !== undefined) holder.text += piece;
    else if (piece.trim() !== '') throw new FileError(causeOf('xml.text_outside', lineOf()));
  }

  /** Not by one `replaceAll`, which holds an object of 200 bytes for each reference until all are found. */
  function decoded(piece: string, start: number): string {
    let from = 0;
    let whole = '';
    let parts: string[] = [];
    for (let amp = piece.indexOf('&'); amp >= 0; amp = piece.indexOf('&', from)) {
      const length = piece.slice(amp, amp + maxReference).indexOf(';') + 1;
      const meant = length === 0 ? null : entityOf(piece.slice(amp + 1, amp + length - 1));
      if (meant === null) {
        const [name = '&'] = /^&[^&;\s]{0,32};?/.exec(piece.slice(amp, amp + maxReference)) ?? [];
        throw new FileError(causeOf('xml.unknown_entity', { ...lineOf(start + amp), name }));
      }
      parts.push(piece.slice(from, amp), meant);
      from = amp + length;
      if (parts.length < partsTogether) continue;
      whole += parts.join('');
      parts = [];
    }
    return from === 0 ? piece : whole + parts.join('') + piece.slice(from);
  }

  function readStart(): void {
    const start = at;
    at += 1;
    const tag = match(tagName)?.[0];
    if (tag === undefined) throw new FileError(causeOf('xml.bad_tag', { ...lineOf(start), tag: '<' }));
    elements += 1;
    if (elements > maxElements) {
      throw new FileTooLarge(causeOf('xml.most_elements', { most: maxElements }));
    }
    const attributes = new Map<string, string>();
    for (let found = match(attribute); found !== null; found = match(attribute)) {
      const [, name = '', quoted, plain] = found;
      if (attributes.has(name))
        throw new FileError(causeOf('xml.attribute_twice', { ...lineOf(start), tag: `<${tag}>`, name }));
      if (attributes.size === geofenceLimits.attributes) {
        const most = geofenceLimits.attributes;
        throw new FileError(causeOf('xml.most_attributes', { ...lineOf(start), tag: `<${tag}>`, most }));
      }
      attributes.set(name, decoded((quoted ?? plain ?? '').replaceAll(/[\t\n]/g, ' '), start));
    }
    const end = match(tagEnd);
    if (end === null) throw new FileError(causeOf('xml.bad_tag', { ...lineOf(start), tag: `<${tag}>` }));
    const element: Open = { name: localName(tag), attributes, children: [], text: '', tag, start };
    const parent = open.at(-1);
    if (parent !== undefined) parent.children.push(element);
    else if (roots.length > 0) throw new FileError(causeOf('xml.second_root', lineOf(start)));
    else roots.push(element);
    if (end[1] === '/') {
      finish(element);
      return;
    }
    if (open.length === geofenceLimits.nesting) {
      throw new FileError(causeOf('xml.nested', { ...lineOf(start), most: geofenceLimits.nesting }));
    }
    open.push(element);
  }

  function readEnd(): void {
    const start = at;
    at += 2;
    const tag = match(tagName)?.[0] ?? '';
    if (match(tagEnd)?.[1] !== '')
      throw new FileError(causeOf('xml.bad_tag', { ...lineOf(start), tag: `</${tag}>` }));
    const element = open.pop();
    if (element === undefined)
      throw new FileError(causeOf('xml.ends_nothing', { ...lineOf(start), tag: `</${tag}>` }));
    if (element.tag !== tag) {
      const [begin, end] = [`<${element.tag}>`, `</${tag}>`];
      throw new FileError(causeOf('xml.tag_mismatch', { ...lineOf(element.start), tag: begin, end }));
    }
    finish(element);
  }

  function finish(element: Open): void {
    if (take?.(element) === true) open.at(-1)?.children.pop();
  }

  while (at < text.length) {
    const next = text.indexOf('<', at);
    const end = next < 0 ? text.length : next;
    if (end > at) addText(decoded(text.slice(at, end), at));
    at = end;
    if (next < 0) break;
    if (text.startsWith('<!--', at)) {
      at = behind('-->', at + 4, '<!--');
    } else if (text.startsWith('<![CDATA[', at)) {
      const close = behind(']]>', at, '<![CDATA[');
      addText(text.slice(at + 9, close - 3));
      at = close;
    } else if (text.startsWith('<?', at)) {
      at = behind('?>', at, '<?');
    } else if (/^<!doctype/i.test(text.slice(at, at + 9))) {
      throw new FileError(causeOf('xml.doctype'));
    } else if (text.startsWith('</', at)) {
      readEnd();
    } else {
      readStart();
    }
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined)
    throw new FileError(causeOf('xml.unclosed', { ...lineOf(unclosed.start), what: `<${unclosed.tag}>` }));
  const [root] = roots;
  if (root === undefined) throw new FileError(causeOf('xml.no_root'));
  return root;
}

/** Null for one that XML does not know, or that stands for no character of XML. */
function entityOf(name: string): string | null {
  if (!name.startsWith('#')) return Object.hasOwn(entities, name) ? (entities[name] ?? null) : null;
  const digits = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))$/i.exec(name);
  if (digits === null) return null;
  const code = digits[1] === undefined ? Number(digits[2]) : Number.parseInt(digits[1], 16);
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : null;
}

function localName(tag: string): string {
  return tag.slice(tag.indexOf(':') + 1);
}

function lineAt(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < place; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** All below an element, in the order of the document. */
export function withName(under: XmlElement, name: string): XmlElement[] {
  const found: XmlElement[] = [];
  function collect(element: XmlElement): void {
    for (const child of element.children) {
      if (child.name === name) found.push(child);
      collect(child);
    }
  }
  collect(under);
  return found;
}

export function children(of: XmlElement, name: string): XmlElement[] {
  return of.children.filter((it) => it.name === name);
}

export function textOf(element: XmlElement | undefined): string | null {
  const text = element?.text.trim() ?? '';
  return text === '' ? null : text;
}
