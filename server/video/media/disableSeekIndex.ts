import type { Input } from 'mediabunny';

/**
 * Keeps mediabunny (1.61) from noting where it might seek to later: of an MPEG transport stream it holds a piece of the
 * frame for each 48 kB read, together a third of a long clip. Here clips are read only from start to end.
 * What it notes is nowhere in its public types; should it do so otherwise one day, nothing is changed.
 */
export async function disableSeekIndex(input: Input): Promise<void> {
  await input.getTracks();
  const demuxer: unknown = '_demuxerPromise' in input ? await input._demuxerPromise : undefined;
  if (typeof demuxer === 'object' && demuxer !== null && 'minReferencePointByteDistance' in demuxer) {
    demuxer.minReferencePointByteDistance = Infinity;
  }
}
