/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * What a `Range` header asks of a file (RFC 9110 section 14.2): one range; `unsatisfiable`; or null for the whole file,
 * which also answers what is malformed, in other units, or asks for several ranges at once.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header?.trim() ?? '');
  if (match === null) return null;
  const [, first = '', last = ''] = match;
  if (first === '') {
    if (last === '') return null;
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}

/** Whether an entity tag is among those of `If-None-Match`, compared weakly (RFC 9110 section 13.1.2). */
export function isAmong(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((it) => it.trim().replace(/^W\//, '') === etag);
}

/** Whether `If-Range` lets the range be sent: no such header, or the same strong tag (RFC 9110 section 13.1.5). */
export function rangeHolds(header: string | undefined, etag: string): boolean {
  return header === undefined || header.trim() === etag;
}
