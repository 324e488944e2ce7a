/** No body of this API is nested deeper; far below the depth at which the stack of a walk over it would end. */
const mostLevels = 64;

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = Array.from('"\\{}[]', (it) =>
  it.charCodeAt(0),
);

/**
 * Why JSON is refused before it is parsed: a million brackets take `JSON.parse` a second, and a walk over what comes of
 * them ends the stack. Null when it is not nested too deeply; whether it is JSON is not asked. One pass.
 */
export function nestingFault(json: string | Uint8Array): string | null {
  const codeAt =
    typeof json === 'string' ? (at: number) => json.charCodeAt(at) : (at: number) => json[at] ?? 0;
  let level = 0;
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
      if (level > mostLevels) {
        return `it is nested more than ${mostLevels} levels deep, at character ${at + 1}`;
      }
    } else if (code === closeBrace || code === closeBracket) {
      level -= 1;
    }
  }
  return null;
}
