/** Overwrites, in these very bytes, what may be a password; says whether there was any. Pure but for that. */
export type Redact = (bytes: Uint8Array) => boolean;

/** What stands in the place of each byte: `*`. */
export const redactedByte = 0x2a;
