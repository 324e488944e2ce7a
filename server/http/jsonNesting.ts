import type { Cause } from '../contract/causes.ts';
import { causeOf } from '../contract/causeTexts.ts';

/** No body of this API is nested deeper; far below the depth at which the stack of a walk over it would end. */
const maxLevels = 64;
/** No object in a body of this API has so many fields: of a hundred thousand, to list them takes 300 ms. */
export const maxFields = 2_000;

const [quote, backslash, colon, openBrace, closeBrace, openBracket, closeBracket] = Array.from(
  '"\\:{}[]',
  (it) => it.charCodeAt(0),
);

/**
 * Why JSON is refused before it is parsed: a million brackets take `JSON.parse` a second, and a walk over what comes of
 * them ends the stack. Null when it is not nested too deeply; whether it is JSON is not asked. One pass.
 *
 * @param fields how many fields an object may have
 */
export function nestingError(json: string | Uint8Array, fields = Infinity): Cause | null {
  const codeAt =
    typeof json === 'string' ? (at: number) => json.charCodeAt(at) : (at: number) => json[at] ?? 0;
  let level = 0;
  /** Of the objects that are open, by their level. */
  const counted = new Uint32Array(maxLevels + 1);
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const code = codeAt(at);
    if (isText) {
      if (code === backslash) at += 1;
      else if (code === quote) isText = false;
    } else if (code === quote) {
      isText = true;
    } else if (code === openBrace || code === openBracket) {
      level += 1;
      if (level > maxLevels) {
        return causeOf('json.nested', { most: maxLevels, at: String(at + 1) });
      }
      counted[level] = 0;
    } else if (code === colon) {
      const count = (counted[level] ?? 0) + 1;
      if (count > fields) return causeOf('json.many_fields', { most: fields, at: String(at + 1) });
      counted[level] = count;
    } else if (code === closeBrace || code === closeBracket) {
      level -= 1;
    }
  }
  return null;
}
