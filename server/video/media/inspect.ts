import {
  type AudioCodec,
  type EncodedPacket,
  EncodedPacketSink,
  type Input,
  type InputAudioTrack,
  type InputTrack,
  type InputVideoTrack,
  Mp4OutputFormat,
  MPEG_TS,
  type PacketType,
  type VideoCodec,
} from 'mediabunny';
import { badMedia } from './mediaError.ts';

/** What was found by reading every packet of the video once. Times in seconds of the file's own clock. */
export interface Inspection {
  video: InputVideoTrack;
  videoCodec: VideoCodec;
  /** As in a `codecs` parameter, e.g. `avc1.64001F`. */
  codec: string;
  widthPx: number;
  heightPx: number;
  packetCount: number;
  keyPacketCount: number;
  firstKey: EncodedPacket;
  /** Presentation end of the last frame, on the clock of `pictureTimeline`. */
  endS: number;
  /** Of the picture's jumps in time, which sound follows. */
  offsets: readonly number[];
  maxGapS: number;
  /** Whether the file already marks exactly the true key frames and starts with one at about zero. */
  marksAreTrue: boolean;
  /** Sound that MP4 can hold, with its packet count. */
  audio: InspectedAudio[];
  /** Whether the file holds a track that MP4 cannot, or a second picture. */
  hasForeignTracks: boolean;
}

export interface InspectedAudio {
  track: InputAudioTrack;
  audioCodec: AudioCodec;
  packetCount: number;
}

/** A first frame this late still counts as starting at once: under one frame at 10 frames/s. */
const START_TOLERANCE_S = 0.1;

/** The clock of the picture; each pass over the file gets the same one. */
export function pictureTimeline({ maxGapS }: Pick<Inspection, 'maxGapS'>): Timeline {
  return createTimeline({ maxGapS, reorderS: REORDER_S });
}

/** The clock of sound, which follows the picture's. */
export function soundTimeline({ maxGapS, offsets }: Inspection): Timeline {
  return createTimeline({ maxGapS, reorderS: 0, follow: offsets });
}

/**
 * Reads every packet of picture and sound once.
 * @param maxGapS a longer gap between two frames is a clock that was adjusted
 * @throws MediaError `bad_media`: no video track, a codec that MP4 cannot hold, no key frame, unreadable frames
 */
export async function inspect(input: Input, maxGapS: number): Promise<Inspection> {
  const video = await input.getPrimaryVideoTrack();
  if (video === null) throw badMedia(await noVideoDetail(input));
  const codec = await video.getCodec();
  const parameter = await video.getCodecParameterString();
  const decoderConfig = await video.getDecoderConfig();
  if (codec === null || parameter === null || decoderConfig === null || !videoFitsMp4(codec)) {
    const found = codec ?? String(await video.getInternalCodecId());
    throw badMedia(`its video is coded as ${found}, which no browser plays from an MP4`);
  }
  const frames = await readFrames(video, pictureTimeline({ maxGapS }));
  const promised = await promisedBy(input, video);
  if (promised !== null) refuseMissing('frames', frames.packetCount, promised);
  if (frames.packetCount === 0) throw badMedia('a video track with no frame in it');
  if (frames.firstKey === null) {
    throw badMedia(`no key frame among its ${frames.packetCount} frames: nothing can be decoded`);
  }
  const tracks = await input.getTracks();
  const audio = await inspectAudio(input);
  return {
    ...frames,
    maxGapS,
    firstKey: frames.firstKey,
    video,
    videoCodec: codec,
    codec: parameter,
    widthPx: await video.getDisplayWidth(),
    heightPx: await video.getDisplayHeight(),
    audio,
    hasForeignTracks: tracks.length !== audio.length + 1,
  };
}

/** The frame's type by its own bits; the container's value if the bits do not say. */
export async function trueType(video: InputVideoTrack, packet: EncodedPacket): Promise<PacketType> {
  return (await video.determinePacketType(packet)) ?? packet.type;
}

async function readFrames(video: InputVideoTrack, timeline: Timeline) {
  let packetCount = 0;
  let keyPacketCount = 0;
  let firstKey: EncodedPacket | null = null;
  let latestS = -Infinity;
  let endS = -Infinity;
  let marksAreTrue = true;
  for await (const packet of packetsOf(video)) {
    const type = await trueType(video, packet);
    if (type === 'key') {
      keyPacketCount++;
      firstKey ??= packet;
    }
    if (type !== packet.type || (packetCount === 0 && type !== 'key')) marksAreTrue = false;
    packetCount++;
    if (firstKey === null) continue;
    const { timestamp, duration } = packet;
    const placed = timeline.place({ timestamp, duration, isKey: type === 'key' });
    // The end of the last one alone: the length of those before it is the distance to the next.
    if (placed !== null && placed.timestamp >= latestS) {
      latestS = placed.timestamp;
      endS = latestS + placed.duration;
    }
  }
  if (Math.abs(firstKey?.timestamp ?? 0) > START_TOLERANCE_S) marksAreTrue = false;
  return { packetCount, keyPacketCount, firstKey, endS, marksAreTrue, offsets: timeline.offsets() };
}

async function inspectAudio(input: Input): Promise<InspectedAudio[]> {
  const held: readonly string[] = new Mp4OutputFormat().getSupportedAudioCodecs();
  const kept: InspectedAudio[] = [];
  for (const track of await input.getAudioTracks()) {
    const audioCodec = await track.getCodec();
    if (audioCodec === null || !held.includes(audioCodec) || (await track.getDecoderConfig()) === null)
      continue;
    let packetCount = 0;
    for await (const _ of packetsOf(track)) packetCount++;
    const promised = await promisedBy(input, track);
    if (promised !== null) refuseMissing('pieces of sound', packetCount, promised);
    if (packetCount > 0) kept.push({ track, audioCodec, packetCount });
  }
  return kept;
}

/** Packets that the file's index names; null for a transport stream, which has none and would be read once more. */
async function promisedBy(input: Input, track: InputTrack): Promise<number | null> {
  return (await input.getFormat()) === MPEG_TS ? null : (await track.computePacketStats()).packetCount;
}

/** mediabunny takes a frame that the index places beyond the file's end for the end of the track. */
function refuseMissing(what: string, found: number, promised: number): void {
  if (found < promised) throw badMedia(`damaged: only ${found} of its ${promised} ${what} are in the file`);
}

function videoFitsMp4(codec: VideoCodec): boolean {
  return new Mp4OutputFormat().getSupportedVideoCodecs().includes(codec);
}

async function noVideoDetail(input: Input): Promise<string> {
  const tracks = await input.getTracks();
  return tracks.length === 0
    ? 'no video track: the file holds no track at all'
    : `no video track, only ${tracks.map((track) => track.type).join(', ')}`;
}

/** Puts the frames of one track on a clock that never jumps. Times in seconds. */
interface Timeline {
  /** Takes frames in the order of decoding; null for one that cannot be shown where it stands and is to be left out. */
  place(frame: TimedFrame): { timestamp: number; duration: number } | null;
  /** What was added to the times from each jump on, in their order. */
  offsets(): readonly number[];
}

interface TimedFrame {
  timestamp: number;
  duration: number;
  isKey: boolean;
}

interface TimelineRules {
  /** A longer gap is not a gap in the recording but a clock that was adjusted. */
  maxGapS: number;
  /** How far frames may stand before one that was sent ahead of them; 0 for sound. */
  reorderS: number;
  /** Offsets of another track's jumps: this one follows them, so that both stay together. */
  follow?: readonly number[];
}

/** 16 frames of a camera with 8 frames/s; H.264 and H.265 hold back 16 at most. */
export const REORDER_S = 2;
/** Followed, when it lands this near to where the track's own times would go on: tracks of one file jump together. */
const NEAR_S = 1;
/** Pieces of sound that overlap by no more come from rounding. */
const JITTER_S = 0.1;
/** In a file with jumps, a frame that claims more was measured across one. */
const LONGEST_BESIDE_JUMPS_S = 1;
/** Between two frames, until the track has shown its own. */
const FIRST_STEP_S = 1 / 25;

/**
 * Transport streams are cut together from pieces with clocks of their own, and cameras set their clocks while they
 * record (ISO/IEC 13818-1, 2.4.3.5: discontinuity). Frames after a jump go on where those before it ended.
 */
export function createTimeline({ maxGapS, reorderS, follow = [] }: TimelineRules): Timeline {
  const offsets: number[] = [];
  let offset = 0;
  let latest = -Infinity;
  let step = FIRST_STEP_S;
  /** No frame since the last key may be shown before what came ahead of that key. */
  let floor = -Infinity;
  /** Frames just before it refer to what is not there: it stands at the beginning or behind a jump. */
  let entry: number | null = null;

  function isJump(time: number, isKey: boolean): boolean {
    if (latest === -Infinity) return false;
    if (time > latest + maxGapS || time < latest - Math.max(reorderS, JITTER_S)) return true;
    return reorderS > 0 && (isKey ? time <= latest : time < floor);
  }

  /** Answers where the frame behind the jump goes. */
  function jump(timestamp: number): number {
    const goesOn = latest + step;
    const followed = follow[offsets.length];
    const isNear = followed !== undefined && Math.abs(timestamp + followed - goesOn) <= NEAR_S;
    offset = isNear ? followed : goesOn - timestamp;
    offsets.push(offset);
    // Not the sum, which may be rounded down.
    return isNear ? timestamp + offset : goesOn;
  }

  return {
    place({ timestamp, duration, isKey }) {
      let time = timestamp + offset;
      const precedesEntry = entry !== null && !isKey && time < entry && time >= entry - reorderS;
      if (precedesEntry) return null;
      const jumps = isJump(time, isKey);
      if (jumps) time = jump(timestamp);
      // Sound that two pieces share is heard once.
      if (reorderS === 0 && time <= latest) return null;
      if (isKey) {
        if (jumps || latest === -Infinity) entry = time;
        floor = latest;
      }
      latest = Math.max(latest, time);
      if (duration <= 0 || duration > (offsets.length > 0 ? LONGEST_BESIDE_JUMPS_S : maxGapS))
        return { timestamp: time, duration: step };
      if (duration <= LONGEST_BESIDE_JUMPS_S) step = duration;
      return { timestamp: time, duration };
    },
    offsets: () => offsets,
  };
}

/**
 * The packets of a track in the order of decoding, one at a time. mediabunny's own `packets()` reads as many ahead as
 * were taken in the last second, which for a clip that is only copied are a hundred megabytes.
 * @param first where to begin; it was read from the same track
 */
export async function* packetsOf(
  track: InputTrack,
  first?: EncodedPacket,
): AsyncGenerator<EncodedPacket, void> {
  const sink = new EncodedPacketSink(track);
  let packet = first ?? (await sink.getFirstPacket());
  while (packet !== null) {
    yield packet;
    packet = await sink.getNextPacket(packet);
  }
}
