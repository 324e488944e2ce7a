/** Whether code says a message of the catalogue: by its key as a whole, or by one with parts that are filled in. */
export function textsUsedIn(code: string): (key: string) => boolean {
  const whole = new Set([...code.matchAll(/'([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+)'/g)].map((hit) => hit[1]));
  const patterns = [...code.matchAll(/`([a-z][a-z0-9_]*\.[^`\s]*\$\{[^`\s]*)`/g)].map(
    (hit) =>
      new RegExp(
        `^${(hit[1] ?? '')
          .split(/\$\{[^}]*\}/)
          .map((part) => part.replace(/\./g, '\\.'))
          .join('[a-z0-9_]+')}$`,
      ),
  );
  return (key) => {
    const base = key.replace(/_(one|other)$/, '');
    return whole.has(base) || patterns.some((it) => it.test(base));
  };
}
