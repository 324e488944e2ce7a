/** What stands where something was left out. */
const GONE = '(redacted)';
/** Lines of a log are read by people; a longer one is mostly a body or bytes. */
const LONGEST_TEXT = 2_000;
/** So much more of it is looked at, so that nothing is cut before it is recognised. */
const BEYOND_CUT = 1_000;
/** Shorter secrets occur in ordinary words. */
const SHORTEST_SECRET = 4;

/** A record's keys whose values are never shown. */
const secretKey =
  /pass|pwd|secret|token|credential|authori[sz]ation|cookie|jwt|api_?key|private|signature|setup_code/i;

/**
 * What is recognised in texts, in this order. Each pattern begins where its kind of text can begin and nowhere within, so
 * that a line of any content costs time in proportion to its length.
 */
const patterns: readonly [pattern: RegExp, by: (...match: (string | undefined)[]) => string][] = [
  // Addresses keep their host: their paths and queries bear keys (Slack, Telegram, tile servers). Those of files stay.
  [
    /(?<![a-z\d+.-])([a-z][a-z\d+.-]{0,15}):\/\/(?:[^\s/?#"'<>]*@)?([^\s/?#"'<>]+)([^\s"'<>]*)/gi,
    (_, scheme = '', host = '', rest = '') => `${scheme}://${host}${rest.length > 1 ? '/…' : rest}`,
  ],
  [/\?[^\s"'=?]{0,100}=[^\s"']*/g, () => '?…'],
  [/(?<![\w-])(Bearer|Basic)\s+[\w.~+/=-]+/gi, (_, scheme = '') => `${scheme} ${GONE}`],
  [
    /(?<![a-z])((?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|cookie)["']?\s{0,3}[:=]\s{0,3})(?:"[^"]*"|'[^']*'|[^\s,;]+)/gi,
    (_, name = '') => `${name}${GONE}`,
  ],
  [/(?<![\w-])eyJ[\w-]{5,}(?:\.[\w-]*)+/g, () => '(JWT)'],
  [/(?<![\w.+%-])[\w.+%-]{1,64}@[\w-]+(?:\.[\w-]+)+/g, () => '(email)'],
  // Identifiers and dates are kept, what follows would take them for keys and numbers.
  [
    /(?<uuid>(?<![\w-])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\w-]))|(?<date>(?<!\d)\d{4}-\d\d-\d\d(?!\d))|(?<key>(?<![\w+=-])(?=[\w+=-]*\d)(?=[\w+=-]*[a-z])[\w+=-]{24,})|(?<phone>(?<![\w.+-])\+?\d(?:[ ()-]{0,2}\d){7,14}(?![\w]|\.\d))/gi,
    (all = '', uuid, date, key) => {
      if (uuid !== undefined || date !== undefined) return all;
      return key === undefined ? `(number …${all.slice(-2)})` : '(key)';
    },
  ],
];

export type Redact = ReturnType<typeof createRedact>;

/** @param secrets those that this host knows: they are left out in whatever text they stand */
export function createRedact(secrets: Iterable<string> = []) {
  const known = new Set([...secrets].filter((it) => it.length >= SHORTEST_SECRET));
  // Secrets with signs in them are few; the rest are words, which a set finds however many there are.
  const isWord = (secret: string) => /^[^\s"'`,;:=&?@/\\|()[\]{}<>]+$/.test(secret);
  const phrases = [...known].filter((it) => !isWord(it)).slice(0, 1_000);

  function text(raw: string): string {
    const looked = LONGEST_TEXT + BEYOND_CUT;
    let left = raw.slice(0, looked);
    for (const phrase of phrases) left = left.replaceAll(phrase, GONE);
    if (known.size > phrases.length)
      left = left.replace(/[^\s"'`,;:=&?@/\\|()[\]{}<>]+/g, (word) => (known.has(word) ? GONE : word));
    for (const [pattern, by] of patterns) left = left.replace(pattern, by);
    return left.length > LONGEST_TEXT || raw.length > looked ? `${left.slice(0, LONGEST_TEXT)}…` : left;
  }

  function value(of: unknown, depth = 0): unknown {
    if (typeof of === 'string') return text(of);
    if (typeof of !== 'object' || of === null) return of;
    if (depth > 8) return GONE;
    if (Array.isArray(of)) return of.map((it) => value(it, depth + 1));
    const shown = Object.entries(of).map(([key, it]) => [
      key,
      secretKey.test(key) && (typeof it === 'string' || typeof it === 'object') ? GONE : value(it, depth + 1),
    ]);
    return Object.fromEntries(shown) as unknown;
  }

  return {
    /** A text without secrets, and without what follows its first 2,000 characters. */
    text: (raw: string) => text(raw),
    /** A line of the log as people read it: time, level, message, and the rest as JSON. */
    logLine: (line: string): string => {
      let entry: unknown;
      try {
        entry = JSON.parse(line);
      } catch {
        // A line that was cut, or of something else.
        return text(line);
      }
      if (typeof entry !== 'object' || entry === null || !('time' in entry)) return text(line);
      const { time, level, msg = '', ...rest } = entry as Record<string, unknown>;
      const at = typeof time === 'number' && Math.abs(time) < 8.64e15 ? new Date(time).toISOString() : '';
      const name = levels[String(level)] ?? String(level);
      const details = Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(value(rest))}`;
      return `${at} ${name} ${text(typeof msg === 'string' ? msg : JSON.stringify(msg))}${details}`;
    },
  };
}

/** Pino's. */
const levels: Readonly<Record<string, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
