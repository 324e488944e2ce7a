import { createHash } from 'node:crypto';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { EvidenceFile } from '../../contract/evidence.ts';

type Bytes = Readable | AsyncIterable<string | Buffer> | Iterable<string | Buffer>;

export type EvidenceZip = ReturnType<typeof createEvidenceZip>;

/** @param at the time that all files bear */
export function createEvidenceZip(at: Date, signal: AbortSignal) {
  const zip = new ZipFile();
  return {
    /** The archive as it grows; it grows no faster than it is read. */
    output: zip.outputStream,
    /**
     * Adds a file and measures it; one after the other.
     * @throws what reading it throws, or the signal's reason
     */
    async add(name: string, bytes: Bytes, how: 'stored' | 'deflated'): Promise<EvidenceFile> {
      const { meter, measured } = createMeter();
      // Read by everybody: the archive is unpacked by people who were handed it.
      zip.addReadStream(meter, name, { compress: how === 'deflated', mtime: at, mode: 0o100644 });
      await pipeline(bytes, meter, { signal });
      return { name, ...measured() };
    },
    /** No more files come. */
    end: (): void => zip.end(),
  };
}

function createMeter() {
  const hash = createHash('sha256');
  let size_bytes = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      size_bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { meter, measured: () => ({ size_bytes, sha256: hash.digest('hex') }) };
}
