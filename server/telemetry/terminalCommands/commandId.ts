import { createHash } from 'node:crypto';

/**
 * The ID of the command that this user gives this vehicle with this `Idempotency-Key`: whenever and however often that
 * is sent, it names the same command. A UUID of version 8 (RFC 9562, section 5.8) made of SHA-256.
 */
export function keyedCommandId(userId: string, vehicleId: string, key: string): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([userId, vehicleId, key]))
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
