/**
 * What search compares, in the console and in the API's `q`: texts without case, diacritics, spaces and hyphens, so
 * that "AL4287" and "al-4287" find AL 4287, and "Muller" finds Müller.
 */

/** Letters that Unicode does not take apart. */
const spelled: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' },
};
const leftOut = /[\s\p{M}\p{Pd}]/u;
const plain = /^[\x20-\x7e]*$/;

export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (plain.test(text)) return lower.replaceAll(/[ -]/g, '');
  return Array.from(lower.normalize('NFD'), foldLetter).join('');
}

function foldLetter(letter: string): string {
  // Most letters are none of those below, and classes of Unicode are slow to look up.
  if (letter <= '~') return letter === ' ' || letter === '-' ? '' : letter.trim();
  return leftOut.test(letter) ? '' : (spelled[letter] ?? letter);
}

/** Each word of what was typed, folded. */
export function searchWords(typed: string): string[] {
  return typed
    .split(/\s+/)
    .map(foldText)
    .filter((word) => word !== '');
}

/**
 * Makes what says whether each of the words, of `searchWords`, stands in one of the texts of an item. Items are
 * remembered while they live: 10,000 are searched at every key.
 */
export function createTextSearch<T extends object>(
  textsOf: (item: T) => readonly (string | null | undefined)[],
) {
  const remembered = new WeakMap<T, string>();
  function foldedOf(item: T): string {
    let folded = remembered.get(item);
    if (folded === undefined) {
      folded = textsOf(item)
        .map((text) => foldText(text ?? ''))
        .join('\n');
      remembered.set(item, folded);
    }
    return folded;
  }
  return (item: T, words: readonly string[]): boolean =>
    words.length === 0 || words.every((word) => foldedOf(item).includes(word));
}

/** A folded text, with the span of the text that each of its UTF-16 units comes from. */
export function foldWithPlaces(text: string): { folded: string; from: number[]; to: number[] } {
  let folded = '';
  const from: number[] = [];
  const to: number[] = [];
  let at = 0;
  for (const letter of text) {
    const part = letter <= '~' ? foldLetter(letter.toLowerCase()) : foldText(letter);
    folded += part;
    for (let unit = 0; unit < part.length; unit++) {
      from.push(at);
      to.push(at + letter.length);
    }
    at += letter.length;
  }
  return { folded, from, to };
}
