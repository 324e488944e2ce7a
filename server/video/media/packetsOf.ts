import { EncodedPacketSink } from 'mediabunny';
import type { EncodedPacket, InputTrack } from 'mediabunny';

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
