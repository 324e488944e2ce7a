/** An `Idempotency-Key` of its own. `crypto.randomUUID` is not there on a page that came without TLS; this is. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
