import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { causeOf } from '../../server/app.ts';
import { ShellError } from '../shellError.ts';

/** A few hundred bytes for each installer; release notes may stand in it. */
const MOST_BYTES = 64 * 1_024;
/** For the whole of one file, since a server may send one byte a second. */
const TIME_MS = 30_000;
const RAW_KEY_BYTES = 32;

/** Why a manifest is not acted upon. */
export class UpdateRefused extends ShellError {
  override name = 'UpdateRefused';
}

/**
 * The Ed25519 key that manifests are signed by, of its 32 bytes in base64, as the setting has it.
 *
 * @throws {UpdateRefused}
 */
export function readPublicKey(text: string): KeyObject {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== RAW_KEY_BYTES) throw new UpdateRefused(causeOf('update.bad_key'));
  // BoringSSL in Electron has Ed25519, and no Ed448.
  return createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') },
    format: 'jwk',
  });
}

/**
 * The text of a manifest (`latest.yml`) whose signature, in base64 in the file `latest.yml.sig` beside it, is that of the
 * key: whoever has the private key has published exactly this version with exactly these hashes. That it is the newest
 * is not proven by it: a server can withhold newer ones, and older ones are refused by their version.
 *
 * @param url of the folder that both lie in
 * @throws {UpdateRefused} for one that is not signed so; Error of the network
 */
export async function readSignedManifest(
  url: string,
  name: string,
  deps: {
    key: KeyObject;
    fetch: typeof fetch;
    signal: AbortSignal;
    after: (ms: number, run: () => void) => () => void;
  },
): Promise<string> {
  const base = baseOf(url);
  const manifest = await readBounded(new URL(name, base), deps);
  const signature = await readBounded(new URL(`${name}.sig`, base), deps);
  const isSigned = verify(
    null,
    manifest,
    deps.key,
    Buffer.from(signature.toString('latin1').trim(), 'base64'),
  );
  if (!isSigned) throw new UpdateRefused(causeOf('update.not_signed', { name }));
  return manifest.toString('utf8');
}

async function readBounded(
  url: URL,
  { fetch, signal, after }: Parameters<typeof readSignedManifest>[2],
): Promise<Buffer> {
  const late = new AbortController();
  const stopTimer = after(TIME_MS, () =>
    late.abort(
      new ShellError(causeOf('update.not_received', { name: nameOf(url), seconds: TIME_MS / 1_000 })),
    ),
  );
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, late.signal]),
      // Another address would be one that nobody has set.
      redirect: 'error',
      cache: 'no-store',
    });
    if (!response.ok)
      throw new ShellError(causeOf('update.answered', { status: response.status, name: nameOf(url) }));
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of response.body ?? []) {
      bytes += part.length;
      if (bytes > MOST_BYTES)
        throw new UpdateRefused(
          causeOf('update.manifest_too_large', { name: nameOf(url), most: MOST_BYTES }),
        );
      parts.push(part);
    }
    return Buffer.concat(parts);
  } catch (error) {
    throw late.signal.aborted ? late.signal.reason : error;
  } finally {
    stopTimer();
    late.abort();
  }
}

/** So that names are resolved in it, not beside it. */
export const baseOf = (url: string): URL => new URL(url.endsWith('/') ? url : `${url}/`);

const nameOf = (url: URL): string => url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
