import type { MediaPacket } from './mediaPacket.ts';

/** What the parts of one or more packets make together. */
export interface MediaFrame {
  kind: 'I' | 'P' | 'B' | 'sound';
  payloadType: number;
  time_ms: number;
  sinceFrameMs: number;
  data: Buffer;
}

/** Far above any I frame of a vehicle's camera. */
const maxFrameBytes = 4 * 1024 * 1024;
const maxParts = 8192;

interface Begun {
  frame: Omit<MediaFrame, 'data'>;
  parts: Buffer[];
  bytes: number;
}

/**
 * Joins the packets of one channel of one connection to frames.
 * A gap in the serial numbers drops the frame under way, and of the picture all that follows up to the next I frame, as
 * it refers to what is lost. Terminals count either over a channel's packets of all kinds or over each kind separately,
 * so a packet is in its order when it is by either count.
 */
export function createFrameAssembler() {
  let lastOfAll: number | null = null;
  const lines = { picture: createLine(true), sound: createLine(false) };

  return {
    /** The frame that this packet makes whole, if it does. */
    push(packet: MediaPacket): MediaFrame | null {
      if (packet.kind === 'transparent' || packet.time_ms === null) {
        lastOfAll = packet.serial;
        return null;
      }
      const line = packet.kind === 'sound' ? lines.sound : lines.picture;
      const frame = line.push(packet, packet.kind, packet.time_ms, follows(lastOfAll, packet.serial));
      lastOfAll = packet.serial;
      return frame;
    },
    /** Whether a frame of the picture has begun and is not whole. */
    isInside: (): boolean => lines.picture.isInside(),
    /** Frames of the picture that were begun and given up, or left out since they refer to such. */
    lost: (): number => lines.picture.lost(),
  };
}

function createLine(needsKey: boolean) {
  let last: number | null = null;
  let begun: Begun | null = null;
  let waitsForKey = needsKey;
  let lost = 0;

  function giveUp(): void {
    if (begun !== null) lost++;
    begun = null;
    waitsForKey = needsKey;
  }

  function push(
    packet: MediaPacket,
    kind: MediaFrame['kind'],
    time_ms: number,
    followsAll: boolean,
  ): MediaFrame | null {
    const inOrder = followsAll || follows(last, packet.serial);
    last = packet.serial;
    if (!inOrder) giveUp();
    const begins = packet.part === 'whole' || packet.part === 'first';
    if (begins) {
      if (begun !== null) giveUp();
      if (kind === 'I') waitsForKey = false;
      if (waitsForKey) {
        lost++;
        return null;
      }
      const { payloadType, sinceFrameMs } = packet;
      begun = { frame: { kind, payloadType, time_ms, sinceFrameMs }, parts: [], bytes: 0 };
    }
    // The rest of a frame whose beginning is not here.
    if (begun === null) return null;
    begun.bytes += packet.payload.length;
    if (begun.bytes > maxFrameBytes || begun.parts.length >= maxParts) {
      giveUp();
      return null;
    }
    const isWhole = packet.part === 'whole' || packet.part === 'last';
    // A part that is kept must not keep all that it came with.
    begun.parts.push(isWhole ? packet.payload : Buffer.from(packet.payload));
    if (!isWhole) return null;
    const { frame, parts } = begun;
    begun = null;
    return { ...frame, data: Buffer.concat(parts) };
  }

  return { push, isInside: () => begun !== null, lost: () => lost };
}

/** Whether a packet comes next by its number; the first one does. */
function follows(last: number | null, serial: number): boolean {
  return last === null || serial === (last + 1) % 0x1_0000;
}
