const START_CODE = Buffer.from([0, 0, 0, 1]);

/** NAL units as a byte stream (ITU-T H.264 and H.265, annex B). */
export function byteStream(nals: readonly Uint8Array[]): Buffer {
  return Buffer.concat(nals.flatMap((nal) => [START_CODE, nal]));
}

/**
 * A clip's first picture carries all parameter sets: the MP4's index is made of them, and a camera may have sent them
 * long before.
 */
export function withParameterSets(nals: readonly Uint8Array[], sets: readonly Uint8Array[]): Uint8Array[] {
  const isSet = (nal: Uint8Array) => sets.some((set) => Buffer.compare(set, nal) === 0);
  return [...sets, ...nals.filter((nal) => !isSet(nal))];
}
