import { open, type FileHandle } from 'node:fs/promises';
import type { RawCodec } from './rawStream.ts';
import { scanRaw, type RawScan } from './scanRaw.ts';
import { EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny';
import { fileTarget } from '../fileTarget.ts';
import { accessUnits } from './accessUnits.ts';
import { byteStream, withParameterSets } from './byteStream.ts';
import { decoderConfigOf } from './pictures.ts';

export interface RawFacts {
  durationS: number;
  widthPx: number;
  heightPx: number;
  codec: string;
}

/** The frame rate of cameras unless the stream says otherwise. */
const USUAL_RATE = 25;
/** A span that would make it slower or faster is not the span of these pictures. */
const RATES = { min: 1, max: 120 };

/**
 * Turns a raw stream into an MP4. Each picture is shown equally long: as the stream states, else so that all fill the
 * span that was asked for, else 1/25 s.
 * @param expectedS the span, in seconds
 * @throws MediaError `bad_media`
 */
export async function finishRaw(
  path: string,
  codec: RawCodec,
  output: FileHandle,
  { expectedS, onProgress }: { expectedS: number | undefined; onProgress: (fraction: number) => void },
): Promise<RawFacts> {
  const input = await open(path, 'r');
  try {
    const { size } = await input.stat();
    const reportFrom = (begin: number) => (bytes: number) =>
      onProgress(begin + Math.min(1, bytes / size) / 2);
    const found = await scanRaw(input, codec, reportFrom(0));
    const frameS = 1 / rateOf(found, expectedS);
    await writeRaw({ input, output, codec, found, frameS, onRead: reportFrom(0.5) });
    const { widthPx, heightPx, pixelAspect, codec: parameter } = found.format;
    const isWide = pixelAspect > 1;
    return {
      durationS: found.kept * frameS,
      widthPx: isWide ? Math.round(widthPx * pixelAspect) : widthPx,
      heightPx: isWide ? heightPx : Math.round(heightPx / pixelAspect),
      codec: parameter,
    };
  } finally {
    await input.close();
  }
}

function rateOf({ format, places }: RawScan, expectedS: number | undefined): number {
  if (format.rate !== null) return format.rate;
  const spread = expectedS === undefined ? 0 : places.length / expectedS;
  return spread >= RATES.min && spread <= RATES.max ? spread : USUAL_RATE;
}

interface RawWriting {
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
async function writeRaw({ input, output: file, codec, found, frameS, onRead }: RawWriting): Promise<void> {
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
