/** One challenge of a `WWW-Authenticate` header; names of parameters in lower case. */
export interface Challenge {
  /** In lower case. */
  scheme: string;
  params: ReadonlyMap<string, string>;
}

/** `name=value` with the value as a token or in quotes, else a lone word, which begins the next challenge. */
const part = /([!#$%&'*+\-.^_`|~\w]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+)))?[\s,]*/gy;

/**
 * Reads a `WWW-Authenticate` header, which may hold several challenges (RFC 9110 section 11.6.1). What cannot be read
 * ends it: the challenges before stand.
 */
export function parseChallenges(header: string): Challenge[] {
  const challenges: { scheme: string; params: Map<string, string> }[] = [];
  for (const [, name = '', quoted, token] of header.trimStart().matchAll(part)) {
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? token;
    if (value === undefined) challenges.push({ scheme: name.toLowerCase(), params: new Map() });
    else challenges.at(-1)?.params.set(name.toLowerCase(), value);
  }
  return challenges;
}
