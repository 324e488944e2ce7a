/** What a clip says of itself. */
export type ClipInfo = VideoTrack;

/** A day of pictures and sound takes less. */
const LONGEST_INDEX_BYTES = 128 * 1024 * 1024;

/**
 * Reads the index of an MP4, not its pictures; null where it has none that can be read: the browser may still play
 * the file, and says so itself when it does not.
 */
export async function readClipInfo(file: Blob): Promise<ClipInfo | null> {
  for (let at = 0; at + 8 <= file.size;) {
    const head = new DataView(await file.slice(at, at + 16).arrayBuffer());
    const size = head.getUint32(0);
    const isLong = size === 1 && head.byteLength === 16;
    const length = isLong ? Number(head.getBigUint64(8)) : size === 0 ? file.size - at : size;
    const inside = isLong ? 16 : 8;
    if (length < inside) return null;
    if (head.getUint32(4) === MOOV) {
      if (length > LONGEST_INDEX_BYTES) return null;
      const bytes = await file.slice(at + inside, at + length).arrayBuffer();
      try {
        return readVideoTrack(new DataView(bytes));
      } catch (error) {
        if (error instanceof RangeError) return null;
        throw error;
      }
    }
    at += length;
  }
  return null;
}

/** "moov" */
const MOOV = 0x6d6f6f76;

export const isH265 = (codec: string): boolean => /^(hvc1|hev1)\./.test(codec);

/**
 * Whether a browser plays a codec, by its own word. H.265 has two names for the same pictures, and no browser
 * answers to both as it plays them.
 *
 * @param canPlayType of a video element
 */
export function canPlay(codec: string, canPlayType: (type: string) => string): boolean {
  const names = [codec, codec.replace(/^hev1/, 'hvc1')];
  return names.some((it) => canPlayType(`video/mp4; codecs="${it}"`) !== '');
}

// Own: mediabunny 1.61 calls hvc1 hev1, goes through a damaged index of billions of pictures to its end, takes 90 ms instead
// of 6 for half an hour at 15 pictures a second, and adds 137 kB to the page.

/** Parts of an MP4's index that describe its frames; ISO/IEC 14496-12, with the clauses at the readers. */
export interface VideoTrack {
  /** As RFC 6381 writes it, such as `avc1.64001f`; null for what is neither H.264 nor H.265. */
  codec: string | null;
  /** When each picture comes on, seconds, in order. */
  times: Float64Array;
  /** When the last one goes. */
  endS: number;
}

/** The span of a box's content within the index. */
interface Box {
  at: number;
  end: number;
}

/**
 * The first picture track of a `moov` box's content; null without one. Throws RangeError on an index that is cut short
 * or contradicts itself.
 */
function readVideoTrack(moov: DataView): VideoTrack | null {
  const whole = { at: 0, end: moov.byteLength };
  const movieScale = scaleOf(moov, need(moov, whole, 'mvhd'));
  for (const trak of boxes(moov, whole, 'trak')) {
    const media = need(moov, trak, 'mdia');
    // 8.4.3: the handler's kind stands behind version, flags and four empty bytes.
    if (typeAt(moov, need(moov, media, 'hdlr').at + 8) !== 'vide') continue;
    const scale = scaleOf(moov, need(moov, media, 'mdhd'));
    const table = need(moov, need(moov, media, 'minf'), 'stbl');
    const shiftS = editShift(moov, trak, movieScale, scale);
    return { codec: codecOf(moov, need(moov, table, 'stsd')), ...timesOf(moov, table, scale, shiftS) };
  }
  return null;
}

/** 8.6.1.2 and 8.6.1.3: how long each picture is decoded, and how much later it is shown. */
function timesOf(view: DataView, table: Box, scale: number, shiftS: number) {
  const stts = need(view, table, 'stts');
  const runs = entriesOf(view, stts, 8);
  const count = runs.reduce((sum, at) => sum + view.getUint32(at), 0);
  // A file of a day at 60 pictures a second has five million; more is not an index but an attack on the memory.
  if (count > 10_000_000) throw new RangeError('the index promises too many pictures');
  const times = new Float64Array(count);
  const ctts = find(view, table, 'ctts');
  const shifts = ctts === null ? [] : entriesOf(view, ctts, 8);
  let shift = 0;
  let shiftLeft = 0;
  let shiftUnits = 0;
  let decodedAt = 0;
  let index = 0;
  let endS = shiftS;
  for (const at of runs) {
    const length = view.getUint32(at + 4);
    for (let left = view.getUint32(at); left > 0; left -= 1) {
      while (shiftLeft === 0 && shift < shifts.length) {
        const entry = shifts[shift] ?? 0;
        shiftLeft = view.getUint32(entry);
        // Version 0 promises that none is negative; writers put negative ones there all the same.
        shiftUnits = view.getInt32(entry + 4);
        shift += 1;
      }
      shiftLeft -= 1;
      const shownAt = shiftS + (decodedAt + shiftUnits) / scale;
      times[index] = shownAt;
      endS = Math.max(endS, shownAt + length / scale);
      decodedAt += length;
      index += 1;
    }
  }
  return { times: times.sort(), endS };
}

/** 8.6.6: an empty edit delays a track, the first other one says where its own time begins. Seconds to add. */
function editShift(view: DataView, trak: Box, movieScale: number, scale: number): number {
  const edits = find(view, trak, 'edts');
  const list = edits === null ? null : find(view, edits, 'elst');
  if (list === null) return 0;
  const isLong = view.getUint8(list.at) === 1;
  let delayS = 0;
  for (const at of entriesOf(view, list, isLong ? 20 : 12)) {
    const begin = isLong ? Number(view.getBigInt64(at + 8)) : view.getInt32(at + 4);
    if (begin !== -1) return delayS - begin / scale;
    delayS += (isLong ? Number(view.getBigUint64(at)) : view.getUint32(at)) / movieScale;
  }
  return delayS;
}

/** 8.5.2 and ISO/IEC 14496-15, annex E: the name of the first sample entry. */
function codecOf(view: DataView, stsd: Box): string | null {
  const entry = first(boxes(view, { at: stsd.at + 8, end: stsd.end }));
  if (entry === null) return null;
  const kind = typeAt(view, entry.at - 4);
  // 12.1.3: a visual sample entry has 78 bytes of its own before its boxes.
  const inside = { at: entry.at + 78, end: entry.end };
  const hex = (value: number) => value.toString(16);
  if (kind === 'avc1' || kind === 'avc3') {
    const { at } = need(view, inside, 'avcC');
    return `${kind}.${[1, 2, 3].map((it) => hex(view.getUint8(at + it)).padStart(2, '0')).join('')}`;
  }
  if (kind !== 'hvc1' && kind !== 'hev1') return null;
  const { at } = need(view, inside, 'hvcC');
  const profile = view.getUint8(at + 1);
  const space = ['', 'A', 'B', 'C'][profile >> 6] ?? '';
  const tier = (profile & 32) === 0 ? 'L' : 'H';
  const constraints = Array.from({ length: 6 }, (_, index) => view.getUint8(at + 6 + index));
  while (constraints.at(-1) === 0) constraints.pop();
  return [
    kind,
    `${space}${profile & 31}`,
    hex(reversed(view.getUint32(at + 2))),
    `${tier}${view.getUint8(at + 12)}`,
    ...constraints.map(hex),
  ].join('.');
}

/** The 32 bits the other way round, as the name has them. */
function reversed(bits: number): number {
  let out = 0;
  for (let at = 0; at < 32; at += 1) out = out * 2 + ((bits >>> at) & 1);
  return out;
}

/** 8.2.2 and 8.4.2: units a second, behind two times whose size the version says. */
function scaleOf(view: DataView, { at }: Box): number {
  const scale = view.getUint32(at + (view.getUint8(at) === 1 ? 20 : 12));
  if (scale === 0) throw new RangeError('the index counts in no units');
  return scale;
}

/** Where the entries of a full box with a count begin. */
function entriesOf(view: DataView, box: Box, size: number): number[] {
  const count = view.getUint32(box.at + 4);
  if (box.at + 8 + count * size > box.end) throw new RangeError('a table of the index is cut short');
  return Array.from({ length: count }, (_, index) => box.at + 8 + index * size);
}

function need(view: DataView, inside: Box, type: string): Box {
  const box = find(view, inside, type);
  if (box === null) throw new RangeError(`the index has no ${type}`);
  return box;
}

const find = (view: DataView, inside: Box, type: string): Box | null => first(boxes(view, inside, type));

function first(found: Iterable<Box>): Box | null {
  for (const box of found) return box;
  return null;
}

/** 4.2: boxes one after the other, each with its size and its kind in front. */
function* boxes(view: DataView, inside: Box, type?: string): Generator<Box> {
  for (let start = inside.at; start + 8 <= inside.end;) {
    const size = view.getUint32(start);
    const head = size === 1 ? 16 : 8;
    const length = size === 1 ? Number(view.getBigUint64(start + 8)) : size === 0 ? inside.end - start : size;
    if (length < head || start + length > inside.end) throw new RangeError('a box of the index is cut short');
    if (type === undefined || typeAt(view, start + 4) === type)
      yield { at: start + head, end: start + length };
    start += length;
  }
}

const typeAt = (view: DataView, at: number): string =>
  String.fromCharCode(...Array.from({ length: 4 }, (_, index) => view.getUint8(at + index)));
