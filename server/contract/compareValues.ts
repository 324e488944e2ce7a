const byText = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Ascending order of two values of a column: numbers by size, before texts, which go as people read them (V 2 before V 17). */
export function compareValues(a: string | number, b: string | number): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  return typeof b === 'number' ? 1 : byText.compare(a, b);
}
