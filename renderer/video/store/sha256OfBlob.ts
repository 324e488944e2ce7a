import { createSha256 } from './sha256.ts';

/** Up to here the browser's own digest, which takes everything at once, is welcome to the memory. */
const AT_ONCE_BYTES = 32 * 1024 * 1024;
const PIECE_BYTES = 4 * 1024 * 1024;

/** The SHA-256 of a blob in hex; a large one is read piece by piece. */
export async function sha256OfBlob(blob: Blob): Promise<string> {
  // Insecure pages have no crypto.subtle, whatever the types promise.
  if (blob.size <= AT_ONCE_BYTES && 'subtle' in crypto) {
    const sum = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer());
    return [...new Uint8Array(sum)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  }
  const sum = createSha256();
  for (let at = 0; at < blob.size; at += PIECE_BYTES) {
    sum.update(new Uint8Array(await blob.slice(at, at + PIECE_BYTES).arrayBuffer()));
  }
  return sum.digest();
}
