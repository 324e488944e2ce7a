/** JT/T 1078-2016, table 19: what each media packet begins with. */
export const packetHead = Buffer.from('30316364', 'hex');

/** Whether these are the first bytes of a media packet: its head, as far as it is here, and the version bits of RTP. */
export function startsAsPacket(bytes: Buffer): boolean {
  const seen = Math.min(bytes.length, packetHead.length);
  if (packetHead.compare(bytes, 0, seen, 0, seen) !== 0) return false;
  return bytes.length < 5 || bytes.readUInt8(4) >> 6 === 2;
}

/** Whether a connection that begins so brings media packets; its first bytes suffice. */
export function looksLikeJt1078(bytes: Buffer): boolean {
  return bytes.length >= 5 && startsAsPacket(bytes);
}
