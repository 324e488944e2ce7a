/** What lies one after the other at the source and in the new file, three numbers each: where there, where here, bytes. */
export type Segments = Float64Array<ArrayBuffer>;
export const segmentSize = 3;

/** Bytes of one request: so much is fetched again when it fails, and held in memory for each that is under way. */
const maxChunkBytes = 1024 * 1024;
/** To fetch so much that nobody needs takes less time than another request. */
const maxGapBytes = 32 * 1024;

/** One request: a range of the source, and what of it belongs into the new file, one after the other. */
export interface Chunk {
  offset: number;
  length: number;
  /** Where in the range, and how many bytes. */
  parts: { at: number; length: number }[];
  /** Bytes of the new file. */
  bytes: number;
}

/**
 * Gathers segments to requests, in their order.
 *
 * @param from how many bytes of the new file's tile data are there already
 */
export function* chunksOf(segments: Segments, from = 0): Generator<Chunk> {
  let chunk: Chunk | null = null;
  for (let i = 0; i < segments.length; i += segmentSize) {
    const [source = 0, target = 0, bytes = 0] = segments.subarray(i, i + segmentSize);
    let done = Math.max(0, Math.min(bytes, from - target));
    while (done < bytes) {
      const offset: number = source + done;
      if (chunk !== null) {
        const gap = offset - (chunk.offset + chunk.length);
        if (gap < 0 || gap > maxGapBytes || chunk.length + gap >= maxChunkBytes) {
          yield chunk;
          chunk = null;
        }
      }
      chunk ??= { offset, length: 0, parts: [], bytes: 0 };
      const at = offset - chunk.offset;
      const length = Math.min(bytes - done, maxChunkBytes - at);
      chunk.parts.push({ at, length });
      chunk.length = at + length;
      chunk.bytes += length;
      done += length;
    }
  }
  if (chunk !== null) yield chunk;
}

/** Gathers directories to requests; each is whole in one of them. */
export function gathered<Part extends { offset: number; length: number }>(parts: readonly Part[]): Part[][] {
  const groups: Part[][] = [];
  for (const part of parts) {
    const group = groups.at(-1);
    const [first, last] = [group?.[0], group?.at(-1)];
    const gap = last === undefined ? Infinity : part.offset - (last.offset + last.length);
    const isNear = gap >= 0 && gap <= maxGapBytes;
    if (isNear && first !== undefined && part.offset + part.length - first.offset <= maxChunkBytes) {
      group?.push(part);
    } else groups.push([part]);
  }
  return groups;
}
