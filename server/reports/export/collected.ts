/** Thrown when a file would be larger than may be. */
export class ExportTooLarge extends Error {
  override name = 'ExportTooLarge';
  constructor(max_bytes: number) {
    super(`the file would be larger than ${max_bytes} bytes`);
  }
}

/**
 * The bytes of a stream.
 *
 * @throws ExportTooLarge, what the stream fails with
 */
export async function collected(stream: NodeJS.ReadableStream, max_bytes: number): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const piece = chunk as Buffer;
    bytes += piece.length;
    if (bytes > max_bytes) throw new ExportTooLarge(max_bytes);
    chunks.push(piece);
  }
  return chunks;
}
