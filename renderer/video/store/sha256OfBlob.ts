import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** Up to here by the browser's own digest, which takes everything at once. */
const AT_ONCE_BYTES = 32 * 1024 * 1024;
const PIECE_BYTES = 4 * 1024 * 1024;

/** The SHA-256 of a blob in hex; a large one is read piece by piece, which the browser's own digest cannot do. */
export async function sha256OfBlob(blob: Blob): Promise<string> {
  // Insecure pages have no crypto.subtle, whatever the types promise.
  if (blob.size <= AT_ONCE_BYTES && 'subtle' in crypto) {
    return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer())));
  }
  const sum = sha256.create();
  for (let at = 0; at < blob.size; at += PIECE_BYTES) {
    sum.update(new Uint8Array(await blob.slice(at, at + PIECE_BYTES).arrayBuffer()));
  }
  return bytesToHex(sum.digest());
}
