/** The texts of the server and those of the console's domains as one catalogue. */
export function joinTexts(
  server: Readonly<Record<string, string>>,
  domains: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Record<string, string> {
  return Object.assign({}, server, ...Object.values(domains)) as Record<string, string>;
}
