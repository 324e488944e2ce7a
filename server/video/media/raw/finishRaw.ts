import { type FileHandle, open } from 'node:fs/promises';
import { EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny';
import type { RawCodec } from './rawStream.ts';
import { fileTarget } from '../fileTarget.ts';
import { accessUnits, byteStream, withParameterSets } from './nalUnits.ts';
import { decoderConfigOf, type Format, type Picture } from './pictures.ts';
import { badMedia } from '../mediaError.ts';

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

interface RawScan extends Places {
  format: Format;
  /** That hold for the first key picture. */
  parameterSets: Uint8Array[];
}

/** Over two hours at 60 pictures a second: longer than any order. */
const MOST_PICTURES = 500_000;

/**
 * Reads a raw stream once and finds what it holds, and the order in which its pictures are shown.
 * @param onRead called with the number of bytes read so far
 * @throws MediaError `bad_media`
 */
async function scanRaw(file: FileHandle, codec: RawCodec, onRead: (bytes: number) => void): Promise<RawScan> {
  const reader = codec.createReader();
  const pictures: Picture[] = [];
  let format: Format | null = null;
  let parameterSets: Uint8Array[] = [];
  for await (const { picture } of accessUnits(file, reader, onRead)) {
    if (pictures.length === MOST_PICTURES) throw badMedia(`longer than ${MOST_PICTURES} pictures`);
    if (picture.isKey && format === null) {
      format = reader.format();
      parameterSets = reader.parameterSets();
    }
    pictures.push(picture);
  }
  const trouble = reader.trouble();
  if (trouble !== null) throw badMedia(`a raw stream that cannot be put into an MP4: ${trouble}`);
  const places = displayOrder(pictures, reader.keepsOrder());
  if (places === null || format === null) {
    throw badMedia(`no key frame among its ${pictures.length} frames: nothing can be decoded`);
  }
  return { ...places, format, parameterSets };
}

interface Places {
  /** For each picture in its order of decoding: its place in the order of showing, from 0; -1 for one that is left out. */
  places: Int32Array;
  /** By the same index: 1 where decoding can begin. */
  keys: Uint8Array;
  kept: number;
  /** Index of the first picture kept. */
  first: number;
}

/**
 * The order of showing. Left out is what cannot be decoded: all ahead of the first key picture, and what is shown before
 * that although it comes after it.
 * @param keepsOrder whether pictures are shown as they come
 * @returns null when there is no key picture
 */
export function displayOrder(pictures: readonly Picture[], keepsOrder: boolean): Places | null {
  const first = pictures.findIndex((it) => it.isKey && !it.skipped);
  if (first === -1) return null;
  const places = new Int32Array(pictures.length).fill(-1);
  let kept = 0;
  for (let begin = first; begin < pictures.length;) {
    const end = sequenceEnd(pictures, begin);
    const shown = decodable(pictures, begin, end);
    if (!keepsOrder) shown.sort((a, b) => orderOf(pictures[a]) - orderOf(pictures[b]));
    for (const index of shown) places[index] = kept++;
    begin = end;
  }
  return { places, keys: keysOf(pictures, places), kept, first };
}

function sequenceEnd(pictures: readonly Picture[], begin: number): number {
  let end = begin + 1;
  while (end < pictures.length && pictures[end]?.startsSequence !== true) end++;
  return end;
}

function decodable(pictures: readonly Picture[], begin: number, end: number): number[] {
  const head = pictures[begin];
  const refersBack = head?.startsSequence === false && head.order !== null;
  const indexes: number[] = [];
  for (let i = begin; i < end; i++) {
    const picture = pictures[i];
    if (picture === undefined || picture.skipped) continue;
    if (refersBack && orderOf(picture) < orderOf(head)) continue;
    indexes.push(i);
  }
  return indexes;
}

function orderOf(picture: Picture | undefined): number {
  return picture?.order ?? 0;
}

/** Keys from which on nothing is shown before what came ahead of them: a player that begins there misses nothing. */
function keysOf(pictures: readonly Picture[], places: Int32Array): Uint8Array {
  const keys = new Uint8Array(pictures.length);
  let shownSoFar = 0;
  let latest = -1;
  pictures.forEach((picture, i) => {
    const place = places[i] ?? -1;
    if (place === -1) return;
    // Places have no gaps: when all before it are lower, all after it are higher than those.
    if (picture.isKey && latest < shownSoFar) keys[i] = 1;
    latest = Math.max(latest, place);
    shownSoFar++;
  });
  return keys;
}
