import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSaveFile, plainName } from '../../electron/saveFile.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetdeck-save-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const content = new TextEncoder().encode('a clip').buffer;

describe('a file that the page hands over', () => {
  it('a file that the page hands over lands where the operator says, under the name that was proposed', async () => {
    const save = createSaveFile({ downloads: folder, askWhere: (proposal) => Promise.resolve(proposal) });
    expect(await save('clip.mp4', content)).toBe(join(folder, 'clip.mp4'));
    expect(readFileSync(join(folder, 'clip.mp4'), 'utf8')).toBe('a clip');
    expect(readdirSync(folder)).toEqual(['clip.mp4']);
  });

  it('a file that the page hands over is not written when the operator changes their mind', async () => {
    const save = createSaveFile({ downloads: folder, askWhere: () => Promise.resolve(null) });
    expect(await save('clip.mp4', content)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('a file that the page hands over is refused, and leaves nothing, where it cannot be written', async () => {
    const save = createSaveFile({
      downloads: folder,
      askWhere: () => Promise.resolve(join(folder, 'nowhere', 'clip.mp4')),
    });
    await expect(save('clip.mp4', content)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['Van 7: 21.11.2026 04:43.mp4', 'Van 7_ 21.11.2026 04_43.mp4'],
    ['../../.bashrc', '_.._.bashrc'],
    ['C:\\Windows\\x', 'C__Windows_x'],
    ['clip\u202e4pm.exe', 'clip_4pm.exe'],
    ['...', 'fleetdeck'],
    ['', 'fleetdeck'],
  ])('named %j is proposed as %j', (name, plain) => {
    expect(plainName(name)).toBe(plain);
  });

  it('a file that the page hands over never leaves the folder that is proposed, whatever its name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const plain = plainName(name);
        expect(plain).not.toBe('');
        expect(basename(join('/downloads', plain))).toBe(plain);
        expect(join('/downloads', plain)).toBe(`/downloads/${plain}`);
      }),
    );
  });
});
