import { minData, maxImei } from './frames.ts';

// The form over UDP: length WORD, packet id WORD, 01, AVL packet id BYTE, length of the IMEI WORD, IMEI, then the data of
// a packet without a CRC. Source: wiki.teltonika-gps.com, "Codec", "Communication with server" over UDP.

export interface Datagram {
  packetId: number;
  avlId: number;
  imei: string;
  /** From the codec up to the second count. */
  data: Buffer;
}

const fixedLength = 8;

/** Null for bytes that are none. */
export function readDatagram(bytes: Buffer): Datagram | null {
  if (bytes.length < fixedLength || bytes.readUInt16BE(0) !== bytes.length - 2) return null;
  const imeiLength = bytes.readUInt16BE(6);
  const dataStart = fixedLength + imeiLength;
  const imei = bytes.toString('latin1', fixedLength, dataStart);
  if (imeiLength > maxImei || imei.length < imeiLength || !/^\d+$/.test(imei)) return null;
  if (bytes.length - dataStart < minData) return null;
  return {
    packetId: bytes.readUInt16BE(2),
    avlId: bytes.readUInt8(5),
    imei,
    data: bytes.subarray(dataStart),
  };
}

/** @param records how many were taken */
export function datagramAnswer({ packetId, avlId }: Datagram, records: number): Buffer {
  const bytes = Buffer.of(0, 5, 0, 0, 1, avlId, records);
  bytes.writeUInt16BE(packetId, 2);
  return bytes;
}
