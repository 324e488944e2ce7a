import type { Picture } from './pictures.ts';

export interface Places {
  /** For each picture in its order of decoding: its place in the order of showing, from 0; -1 for one that is left out. */
  places: Int32Array;
  /** By the same index: 1 where decoding can begin. */
  keys: Uint8Array;
  kept: number;
  /** Index of the first picture kept. */
  first: number;
}

/**
 * The order of showing. Left out is what cannot be decoded: all ahead of the first key picture, and what is shown before
 * that although it comes after it.
 * @param keepsOrder whether pictures are shown as they come
 * @returns null when there is no key picture
 */
export function displayOrder(pictures: readonly Picture[], keepsOrder: boolean): Places | null {
  const first = pictures.findIndex((it) => it.isKey && !it.skipped);
  if (first === -1) return null;
  const places = new Int32Array(pictures.length).fill(-1);
  let kept = 0;
  for (let begin = first; begin < pictures.length;) {
    const end = sequenceEnd(pictures, begin);
    const shown = decodable(pictures, begin, end);
    if (!keepsOrder) shown.sort((a, b) => orderOf(pictures[a]) - orderOf(pictures[b]));
    for (const index of shown) places[index] = kept++;
    begin = end;
  }
  return { places, keys: keysOf(pictures, places), kept, first };
}

function sequenceEnd(pictures: readonly Picture[], begin: number): number {
  let end = begin + 1;
  while (end < pictures.length && pictures[end]?.startsSequence !== true) end++;
  return end;
}

function decodable(pictures: readonly Picture[], begin: number, end: number): number[] {
  const head = pictures[begin];
  const refersBack = head?.startsSequence === false && head.order !== null;
  const indexes: number[] = [];
  for (let i = begin; i < end; i++) {
    const picture = pictures[i];
    if (picture === undefined || picture.skipped) continue;
    if (refersBack && orderOf(picture) < orderOf(head)) continue;
    indexes.push(i);
  }
  return indexes;
}

function orderOf(picture: Picture | undefined): number {
  return picture?.order ?? 0;
}

/** Keys from which on nothing is shown before what came ahead of them: a player that begins there misses nothing. */
function keysOf(pictures: readonly Picture[], places: Int32Array): Uint8Array {
  const keys = new Uint8Array(pictures.length);
  let shownSoFar = 0;
  let latest = -1;
  pictures.forEach((picture, i) => {
    const place = places[i] ?? -1;
    if (place === -1) return;
    // Places have no gaps: when all before it are lower, all after it are higher than those.
    if (picture.isKey && latest < shownSoFar) keys[i] = 1;
    latest = Math.max(latest, place);
    shownSoFar++;
  });
  return keys;
}
