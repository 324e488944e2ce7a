/** The value of the cookie of this name in a `Cookie` header; null when it is not there. */
export function cookieNamed(name: string, header: string | undefined): string | null {
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=');
    if (at >= 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
}

/** A `Set-Cookie` value that only the authorization methods of this host receive; an empty one takes the cookie away. */
export function sessionCookie(name: string, value: string, maxAgeS: number, tls: boolean): string {
  return `${name}=${value}; Max-Age=${maxAgeS}; Path=/auth; HttpOnly; SameSite=Strict${tls ? '; Secure' : ''}`;
}
