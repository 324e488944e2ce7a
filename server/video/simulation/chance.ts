/** A number from 0 to 1 that depends on nothing but its arguments: the same place looks the same in every clip. */
export function chance(seed: number, place: number, aspect = 0): number {
  let h = Math.imul(seed ^ Math.imul(place | 0, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(aspect + 1, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return ((h ^ (h >>> 15)) >>> 0) / 2 ** 32;
}

/** A seed from a name (FNV-1a, 32 bits). */
export function seedOf(name: string): number {
  let h = 0x811c9dc5;
  for (const letter of name) h = Math.imul(h ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return h >>> 0;
}
