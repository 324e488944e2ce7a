import { createFrameSplitter } from '../../../../../server/telemetry/intake/frameSplitter.ts';
import { frameLength, maxFrame, readFrame } from '../../../../../server/telemetry/protocols/jt808/frames.ts';

/** What a connection makes of these chunks: the messages that are not empty, unescaped, check byte last. */
export function framesOf(...chunks: readonly Uint8Array[]): Uint8Array[] {
  const cutter = createFrameSplitter({ longest: maxFrame, frameLength });
  return chunks
    .flatMap((chunk) => cutter.push(Buffer.from(chunk)).whole)
    .flatMap((frame) => readFrame(frame) ?? [])
    .filter((message) => message.length > 0);
}
