import type { FileHandle } from 'node:fs/promises';
import { EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny';
import { fileTarget } from '../fileTarget.ts';
import { accessUnits } from './accessUnits.ts';
import { byteStream, withParameterSets } from './byteStream.ts';
import { decoderConfigOf } from './pictures.ts';
import type { RawCodec } from './rawStream.ts';
import type { RawScan } from './scanRaw.ts';

export interface RawWriting {
  input: FileHandle;
  output: FileHandle;
  codec: RawCodec;
  found: RawScan;
  /** How long each picture is shown, in seconds. */
  frameS: number;
  /** Called with the number of input bytes read so far. */
  onRead: (bytes: number) => void;
}

/** Reads the stream once more and writes its pictures unchanged into an MP4 with the index in front. */
export async function writeRaw({
  input,
  output: file,
  codec,
  found,
  frameS,
  onRead,
}: RawWriting): Promise<void> {
  const format = new Mp4OutputFormat({ fastStart: 'reserve' });
  const output = new Output({ format, target: fileTarget(file) });
  const source = new EncodedVideoPacketSource(codec.name);
  output.addVideoTrack(source, { maximumPacketCount: found.kept });
  try {
    await output.start();
    let index = 0;
    for await (const { nals } of accessUnits(input, codec.createReader(), onRead)) {
      const place = found.places[index] ?? -1;
      if (place !== -1) {
        const bytes = byteStream(index === found.first ? withParameterSets(nals, found.parameterSets) : nals);
        const type = found.keys[index] === 1 ? 'key' : 'delta';
        const packet = new EncodedPacket(bytes, type, place * frameS, frameS);
        await source.add(packet, { decoderConfig: decoderConfigOf(found.format) });
      }
      index++;
    }
    await output.finalize();
  } catch (error) {
    // The first error is reported; a second one from cancelling adds nothing.
    await output.cancel().catch(() => undefined);
    throw error;
  }
}
