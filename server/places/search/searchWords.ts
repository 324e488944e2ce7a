import { foldText } from '../../contract/searchText.ts';

/** What stands between words. Apostrophes are among it, so that "Aigüeta" finds "Carrer de l'Aigüeta". */
const between = /[^\p{L}\p{N}\p{M}]+/u;
const maxWords = 10;
const maxWordChars = 50;

/** The words of a name, or of what was typed, without case and diacritics. */
export function wordsOf(text: string, most = maxWords): string[] {
  const words: string[] = [];
  for (const word of text.split(between)) {
    const folded = foldText(word);
    if (folded !== '' && words.length < most) words.push(folded.slice(0, maxWordChars));
  }
  return words;
}

/** "12", "12a", "3-5": what can be the number of a house. */
export const isHouseNumber = (word: string): boolean => /^\p{N}{1,5}\p{L}?$/u.test(word);

/**
 * How a word that was typed stands in a text of words with spaces round each: as a word of it, as the beginning of one,
 * within one, or not at all.
 */
export function fitOf(text: string, word: string): 'word' | 'start' | 'inside' | null {
  if (text.includes(` ${word} `)) return 'word';
  if (text.includes(` ${word}`)) return 'start';
  // Two letters stand within most words.
  return word.length > 2 && text.includes(word) ? 'inside' : null;
}

/** Stands before each word of what is round an entry, its town: its own name is found apart. In no word itself. */
export const aroundMark = '·';
/** Stands before a cell: entries are found by theirs, and places as such. In no word itself. */
export const regionToken = '¤';
export const placeToken = `${regionToken}place`;

/** Beginnings up to so many letters stand in the index; those of longer ones are put together at each search. */
export const indexedStart = 5;

/** What the trigram index holds of a word; empty for one that is too short for it. */
export function trigramsOf(word: string): string[] {
  const letters = Array.from(word);
  const grams: string[] = [];
  for (let i = 0; i + 3 <= letters.length; i++) grams.push(letters.slice(i, i + 3).join(''));
  return grams;
}
