import { describe, expect, it } from 'vitest';
import { isSingleKey, keycapOf, shortcutOf } from '../../../renderer/keyboard/shortcut.ts';

const press = (
  key: string,
  held: Partial<Record<'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {},
) => shortcutOf({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...held });

describe('a key press', () => {
  it('a key press is written the same in upper and lower case', () => {
    expect(press('a')).toBe('A');
    expect(press('A', { shiftKey: true })).toBe('Shift+A');
    expect(press('k', { ctrlKey: true })).toBe('Ctrl+K');
    expect(press('k', { metaKey: true })).toBe('Ctrl+K');
  });

  it('a key press does not count the Shift that a sign needs on some keyboards', () => {
    expect(press('?', { shiftKey: true })).toBe('?');
    expect(press('/', { shiftKey: true })).toBe('/');
    expect(press('F6', { shiftKey: true })).toBe('Shift+F6');
  });

  it('a key press is a single key unless it is held with Ctrl or Alt, or is no letter at all', () => {
    expect(isSingleKey('A')).toBe(true);
    expect(isSingleKey('Shift+A')).toBe(true);
    for (const shortcut of ['Ctrl+K', 'Alt+1', 'F6', 'Shift+F6', 'Escape'])
      expect(isSingleKey(shortcut)).toBe(false);
  });

  it('a key press is shown as on the keyboard', () => {
    expect(['Ctrl+K', 'Escape', '+', '-', 'Shift+A'].map(keycapOf)).toEqual([
      'Ctrl K',
      'Esc',
      '+',
      '−',
      'Shift A',
    ]);
  });
});
