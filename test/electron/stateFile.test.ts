import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readStateFile, writeKept } from '../../electron/stateFile.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetdeck-state-'));
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true, force: true });
});

describe('a file of this computer’s habits', () => {
  it('a file of this computer’s habits is read as it was written, in a folder that is made for it', () => {
    const file = join(folder, 'deep', 'ports.json');
    writeKept(file, { ports: [8471] });
    writeKept(file, { ports: [8472] });
    expect(readStateFile(file)).toEqual({ ports: [8472] });
    expect(readdirSync(join(folder, 'deep'))).toEqual(['ports.json']);
  });

  it('a file of this computer’s habits that is missing, torn or a folder reads as null', () => {
    const file = join(folder, 'window.json');
    expect(readStateFile(file)).toBe(null);
    writeFileSync(file, '{"bounds":{"x":1');
    expect(readStateFile(file)).toBe(null);
    expect(readStateFile(folder)).toBe(null);
  });

  it('a file of this computer’s habits stays whole when the next one cannot be written', () => {
    const file = join(folder, 'window.json');
    writeKept(file, { maximized: true });
    // A value that JSON cannot say stands for a disk that fails half-way.
    expect(() => writeKept(file, { size: 1n })).toThrow(TypeError);
    expect(readFileSync(file, 'utf8')).toBe('{"maximized":true}\n');
  });
});
