import { randomUUID } from 'node:crypto';

/**
 * A UUID of version 7 (RFC 9562, section 5.7): its first 48 bits are the Unix time in milliseconds, all others are
 * random. What is stored by such names lies together with what happened at the same time, on few pages; by names that
 * are random all through each row of a batch changes a page of its own.
 */
export function timeOrderedId(now_ms: number): string {
  const time = now_ms.toString(16).padStart(12, '0');
  // After the place of the version digit.
  const random = randomUUID().slice(15);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random}`;
}
