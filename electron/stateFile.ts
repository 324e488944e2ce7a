import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * A small JSON file of this computer's habits: a port, a window's place. What is missing or torn reads as null, since
 * a program that starts with other habits is better than one that does not start.
 */
export function readStateFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch {
    return null;
  }
}

/** Replaces the file whole; throws what the file system throws. */
export function writeKept(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.part`;
  writeFileSync(draft, `${JSON.stringify(value)}\n`);
  renameSync(draft, file);
}
