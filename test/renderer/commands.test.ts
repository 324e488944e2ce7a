import { describe, expect, it } from 'vitest';
import { createCommands } from '../../renderer/commands.ts';
import type { AppContext } from '../../renderer/appContext/appContext.ts';
import { shortcutOf } from '../../renderer/keyboard/shortcut.ts';

const press = (
  key: string,
  held: Partial<Record<'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {},
) => shortcutOf({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...held });

describe('the commands', () => {
  // Only its records are read here; nothing is run.
  const app = {
    user: { role: 'dealer' },
    view: {},
    navigation: {},
    preferences: {},
  } as unknown as AppContext;
  const commands = createCommands(app, () => undefined);

  it('the commands have names and keys of their own', () => {
    const ids = commands.map((it) => it.id);
    expect(new Set(ids).size).toBe(ids.length);
    const keys = commands.flatMap((it) => (it.shortcut === null ? [] : [it.shortcut]));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('the commands write their keys as a key press is written', () => {
    for (const { shortcut } of commands) {
      if (shortcut === null) continue;
      const parts = shortcut === '+' ? ['+'] : shortcut.split('+');
      const key = parts.at(-1) ?? '';
      const held = {
        shiftKey: parts.includes('Shift'),
        ctrlKey: parts.includes('Ctrl'),
        altKey: parts.includes('Alt'),
      };
      expect(press(key, held)).toBe(shortcut);
    }
  });
});
