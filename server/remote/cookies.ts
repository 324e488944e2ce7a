/**
 * Browsers send the cookies of 127.0.0.1 to every port of it. So those of each host elsewhere get names of their own
 * here: no host ever sees, or replaces, the session of another one or of this machine's own.
 */
const hostCookie = /^fleetdeck_[\w-]{1,80}$/;
const cookieValue = /^[\w.~+/=-]{0,4096}$/;

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
 */
export function replyCookies(headers: readonly string[] | undefined, prefix: string): string[] {
  return (headers ?? []).slice(0, 4).flatMap((header) => {
    const [pair = '', ...attributes] = header.split(';').map((it) => it.trim());
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, at));
    const value = pair.slice(at + 1);
    if (!hostCookie.test(name) || !cookieValue.test(value)) return [];
    const kept = attributes.filter((it) => /^(Max-Age=-?\d{1,12}|Path=\/[\w/-]{0,100})$/i.test(it));
    return [[`${prefix}${name}=${value}`, ...kept, 'HttpOnly', 'SameSite=Strict'].join('; ')];
  });
}
