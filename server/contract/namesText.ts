/** A list of names as it stands in a sentence. In a file of its own, since the threads of the store load no package. */
export const namesText = (names: readonly string[], quoted: (name: string) => string): string =>
  names.length === 0 ? '–' : names.map(quoted).join(', ');
