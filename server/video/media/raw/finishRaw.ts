import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { RawCodec } from './rawStream.ts';
import { scanRaw } from './scanRaw.ts';
import type { RawScan } from './scanRaw.ts';
import { writeRaw } from './writeRaw.ts';

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
