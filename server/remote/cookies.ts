/**
 * Browsers send the cookies of 127.0.0.1 to every port of it. So those of each host elsewhere get names of their own
 * here: no host ever sees, or replaces, the session of another one or of this machine's own.
 */
const hostCookie = /^fleetdeck_[\w-]{1,80}$/;
const cookieValue = /^[\w.~+/=-]{0,2048}$/;
/** A host has one, and another when its data folder is replaced. More would grow into all requests of this machine. */
const mostNames = 2;

/** The `Cookie` header for the host out of the browser's; null: none of them is its own. */
export function passedCookies(header: string | undefined, prefix: string): string | null {
  const own = (header ?? '')
    .split(';')
    .map((it) => it.trim())
    .filter((it) => it.startsWith(prefix))
    .map((it) => it.slice(prefix.length));
  return own.length === 0 ? null : own.join('; ');
}

/**
 * The `Set-Cookie` headers for the browser out of the host's: of their attributes the age and the path. They are for
 * pages of this origin alone, and not `Secure`: it is called without TLS, from this machine.
 *
 * @param names those that the host has set so far; gets new ones, 2 at most
 */
export function replyCookies(
  headers: readonly string[] | undefined,
  prefix: string,
  names: Set<string>,
): string[] {
  return (headers ?? []).slice(0, 4).flatMap((header) => {
    const [pair = '', ...attributes] = header.split(';').map((it) => it.trim());
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, at));
    const value = pair.slice(at + 1);
    if (!hostCookie.test(name) || !cookieValue.test(value)) return [];
    if (!names.has(name) && names.size >= mostNames) return [];
    names.add(name);
    const kept = attributes.filter((it) => /^(Max-Age=-?\d{1,12}|Path=\/(auth)?)$/i.test(it));
    return [[`${prefix}${name}=${value}`, ...kept, 'HttpOnly', 'SameSite=Strict'].join('; ')];
  });
}
