/** The first of the numbered names after the number of what there is that nobody bears. */
export function nextFreeName(taken: readonly string[], nameOf: (number: number) => string): string {
  const known = new Set(taken.map((name) => name.toLowerCase()));
  for (let number = taken.length + 1; ; number += 1) {
    const name = nameOf(number);
    if (!known.has(name.toLowerCase())) return name;
  }
}
