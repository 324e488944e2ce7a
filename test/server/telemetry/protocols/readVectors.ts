import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';

const folder = new URL('../../../../../shared/data/protocols/', import.meta.url);

/** The vectors of one file of the collected ones, a JSON object on each line; none where it is not on this machine. */
export function readVectors<T extends z.ZodType>(name: string, vector: T): z.infer<T>[] {
  const file = fileURLToPath(new URL(name, folder));
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => vector.parse(JSON.parse(line)));
}
