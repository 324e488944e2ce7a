import { readFile } from 'node:fs/promises';
import { ConfigError, type Config } from '../config.ts';

/** The certificate and key that the command line names; null without. Throws `ConfigError` when they cannot be read. */
export async function readTls({
  tlsCert,
  tlsKey,
}: Pick<Config, 'tlsCert' | 'tlsKey'>): Promise<{ cert: Buffer; key: Buffer } | null> {
  if (tlsCert === null || tlsKey === null) return null;
  try {
    return { cert: await readFile(tlsCert), key: await readFile(tlsKey) };
  } catch (error) {
    throw new ConfigError(
      `The certificate or its key cannot be read: ${error instanceof Error ? error.message : ''}`,
    );
  }
}
