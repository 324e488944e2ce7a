import { DOMParser, type Element, type Node } from '@xmldom/xmldom';
import { FileFault } from './feature.ts';

/**
 * A document type, where entities are made that swell to gigabytes, has no place in a file of shapes. It could only stand between the
 * XML declaration and the root.
 */
const head = /^\uFEFF?(?:\s+|<\?[^]*?\?>|<!--[^]*?-->)*/;

/** What some programs use without a declaration. */
const undeclared = {
  kml: 'http://www.opengis.net/kml/2.2',
  gx: 'http://www.google.com/kml/ext/2.2',
  atom: 'http://www.w3.org/2005/Atom',
  xsi: 'http://www.w3.org/2001/XMLSchema-instance',
};

/** The root of a document. @throws FileFault with the line for what is not XML, or declares a document type */
export function parseXml(text: string): Element {
  const start = head.exec(text)?.[0].length ?? 0;
  if (/^<!DOCTYPE/i.test(text.slice(start, start + 9))) {
    throw new FileFault('it has a document type (DOCTYPE), which is not taken');
  }
  const found: FileFault[] = [];
  const parser = new DOMParser({
    xmlns: undeclared,
    onError: (level, message, context: unknown) => {
      if (level === 'warning') return;
      const fault = new FileFault(`${placeOf(context)}${message}`);
      found.push(fault);
      throw fault;
    },
  });
  try {
    const root = parser.parseFromString(text.replace(/^\uFEFF/, ''), 'text/xml').documentElement;
    if (root !== null) return root;
  } catch (error) {
    throw found[0] ?? faultOf(error);
  }
  throw new FileFault('it is empty');
}

/** What is beyond the parser itself. */
function faultOf(error: unknown): FileFault {
  if (error instanceof RangeError) return new FileFault('it is nested too deeply');
  return new FileFault(error instanceof Error ? error.message : 'it is not XML');
}

function placeOf(context: unknown): string {
  const locator =
    typeof context === 'object' && context !== null && 'locator' in context ? context.locator : null;
  if (typeof locator !== 'object' || locator === null || !('lineNumber' in locator)) return '';
  return `line ${String(locator.lineNumber)}: `;
}

/** All below an element, in the order of the document. Names of tags count without their prefix. */
export function withName(under: Element, name: string): Element[] {
  return [...under.getElementsByTagNameNS('*', name)];
}

export function children(of: Node, name?: string): Element[] {
  return [...of.childNodes].filter(
    (it): it is Element => isElement(it) && (name === undefined || it.localName === name),
  );
}

function isElement(node: Node): node is Element {
  return node.nodeType === node.ELEMENT_NODE;
}

export function textOf(element: Element | undefined): string | null {
  const text = element?.textContent?.trim() ?? '';
  return text === '' ? null : text;
}
