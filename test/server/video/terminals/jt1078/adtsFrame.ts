const rates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000];

/** A frame of AAC of low complexity with an ADTS head and no checksum. */
export function adtsFrame(data: Uint8Array, sampleRate: number, channels: number): Buffer {
  const length = data.length + 7;
  const rate = rates.indexOf(sampleRate);
  const head = Buffer.of(
    0xff,
    0xf1,
    (1 << 6) | (rate << 2) | (channels >> 2),
    ((channels & 3) << 6) | (length >> 11),
    (length >> 3) & 0xff,
    ((length & 7) << 5) | 0x1f,
    0xfc,
  );
  return Buffer.concat([head, data]);
}
