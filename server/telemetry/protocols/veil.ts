/** Overwrites, in these very bytes, what may be a password; says whether there was any. Pure but for that. */
export type Veil = (bytes: Uint8Array) => boolean;

/** What stands in the place of each byte: `*`. */
export const veiledByte = 0x2a;
