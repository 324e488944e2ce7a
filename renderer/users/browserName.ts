/** From the most particular name to the most general: each browser also names those that it can pass for. */
const BROWSERS: readonly [RegExp, string][] = [
  [/Electron\//, 'Fleetdeck'],
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/python-requests/i, 'Python'],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** "Firefox, Windows" of a `User-Agent` header; the beginning of one that nobody knows; null for none. */
export function browserName(agent: string | null): string | null {
  if (agent === null || agent.trim() === '') return null;
  const names = [BROWSERS, SYSTEMS].flatMap(
    (table) => table.find(([pattern]) => pattern.test(agent))?.[1] ?? [],
  );
  return names.length === 0 ? agent.slice(0, 40) : names.join(', ');
}
