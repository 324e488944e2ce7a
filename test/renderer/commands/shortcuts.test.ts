import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Command } from '../../../renderer/commands/command.ts';
import type { KeyMap } from '../../../renderer/commands/keyMap.ts';
import {
  isSingleKey,
  keycapOf,
  listenForShortcuts,
  shortcutOf,
} from '../../../renderer/commands/shortcuts.ts';

/** As much of an element as the listener asks for: what it lies in. */
class FakeElement {
  isContentEditable = false;
  readonly tag: string;
  constructor(tag: string) {
    this.tag = tag;
  }
  closest(selector: string): FakeElement | null {
    return selector.split(', ').includes(this.tag) ? this : null;
  }
}

/** Presses a key in a window with one command on Ctrl C and one on Ctrl K; returns what ran. */
function pressOn(
  key: string,
  target: FakeElement,
  selection = { isCollapsed: true },
  ctrlKey = true,
  map: KeyMap = {},
): string[] {
  const ran: string[] = [];
  let onKeyDown: (event: object) => void = () => undefined;
  const fakeWindow = {
    addEventListener: (_: string, handle: (event: object) => void) => (onKeyDown = handle),
    removeEventListener: () => undefined,
    getSelection: () => selection,
  };
  const command = (id: string, shortcut: string) => ({
    id,
    shortcut,
    when: () => true,
    run: () => ran.push(id),
  });
  const commands = [
    command('copy_link', 'Ctrl+C'),
    command('palette', 'Ctrl+K'),
    command('play', ' '),
    command('undo', 'Ctrl+Z'),
  ];
  const stop = listenForShortcuts(
    fakeWindow as unknown as Window,
    commands as unknown as Command[],
    undefined as never,
    () => true,
    () => map,
  );
  const preventDefault = () => ran.push('prevented');
  onKeyDown({ key, ctrlKey, metaKey: false, altKey: false, shiftKey: false, target, preventDefault });
  stop();
  return ran;
}

describe('Ctrl C', () => {
  beforeEach(() => void vi.stubGlobal('HTMLElement', FakeElement));
  afterEach(() => void vi.unstubAllGlobals());
  const page = new FakeElement('div');

  it('runs its command on the page', () => {
    expect(pressOn('c', page)).toEqual(['prevented', 'copy_link']);
  });

  it('in a text field is left to the browser, which copies the selected text', () => {
    for (const tag of ['input', 'textarea']) expect(pressOn('c', new FakeElement(tag))).toEqual([]);
    const editable = new FakeElement('div');
    editable.isContentEditable = true;
    expect(pressOn('c', editable)).toEqual([]);
  });

  it('is left to the browser while text of the page is selected', () => {
    expect(pressOn('c', page, { isCollapsed: false })).toEqual([]);
  });

  it('and Ctrl Z are the only keys with Ctrl that a text field keeps: Ctrl K opens the palette from there too', () => {
    expect(pressOn('k', new FakeElement('input'), { isCollapsed: false })).toEqual(['prevented', 'palette']);
  });
});

describe('Ctrl Z', () => {
  beforeEach(() => void vi.stubGlobal('HTMLElement', FakeElement));
  afterEach(() => void vi.unstubAllGlobals());

  it('runs its command on the page, and in a text field is left to the browser, which undoes what was typed', () => {
    expect(pressOn('z', new FakeElement('div'))).toEqual(['prevented', 'undo']);
    expect(pressOn('z', new FakeElement('input'))).toEqual([]);
    expect(pressOn('z', new FakeElement('textarea'))).toEqual([]);
  });
});

describe('Space', () => {
  beforeEach(() => void vi.stubGlobal('HTMLElement', FakeElement));
  afterEach(() => void vi.unstubAllGlobals());

  it('runs its command on the page and presses the button that has the focus', () => {
    expect(pressOn(' ', new FakeElement('div'), undefined, false)).toEqual(['prevented', 'play']);
    for (const tag of ['button', 'a', 'input'])
      expect(pressOn(' ', new FakeElement(tag), undefined, false)).toEqual([]);
  });
});

describe('a key that the user has changed', () => {
  beforeEach(() => void vi.stubGlobal('HTMLElement', FakeElement));
  afterEach(() => void vi.unstubAllGlobals());

  it('a changed key runs its command, which is passed the key of the start, and the old one runs nothing', () => {
    const map = { 'Ctrl+K': 'Ctrl+J' };
    const page = new FakeElement('div');
    expect(pressOn('j', page, undefined, true, map)).toEqual(['prevented', 'palette']);
    expect(pressOn('k', page, undefined, true, map)).toEqual([]);
    expect(pressOn('c', page, undefined, true, map)).toEqual(['prevented', 'copy_link']);
  });
});

describe('a dialog that was asked for and is not there yet', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it('a dialog on its way has all keys, and Escape drops it', () => {
    vi.stubGlobal('HTMLElement', FakeElement);
    let isOpen = false;
    vi.stubGlobal('document', { querySelector: () => (isOpen ? {} : null) });
    const ran: string[] = [];
    const handlers: ((event: object) => void)[] = [];
    const fakeWindow = {
      addEventListener: (_: string, handle: (event: object) => void) => handlers.push(handle),
      removeEventListener: () => undefined,
    };
    const command = (shortcut: string) => ({ shortcut, when: () => true, run: () => ran.push(shortcut) });
    let isComing = true;
    listenForShortcuts(
      fakeWindow as unknown as Window,
      ['Escape', 'Ctrl+K', 'Alt+1', 'A'].map(command) as unknown as Command[],
      undefined as never,
      () => true,
      () => ({}),
      { isComing: () => isComing, drop: () => ran.push('drop') },
    );
    const pressAll = () => {
      ran.length = 0;
      for (const [key, held] of [['Escape'], ['k', 'ctrlKey'], ['1', 'altKey'], ['a']] as const) {
        const stopped = { now: false };
        const event = {
          ...{ key, metaKey: false, ctrlKey: false, altKey: false, shiftKey: false },
          ...{ [held ?? '']: true, target: new FakeElement('div') },
          stopPropagation: () => (stopped.now = true),
          preventDefault: () => undefined,
        };
        // The first one has the key on its way down to its target, the second one on its way back.
        for (const handle of handlers) if (!stopped.now) handle(event);
      }
      return ran;
    };
    expect(pressAll()).toEqual(['drop']);
    isOpen = true;
    expect(pressAll()).not.toContain('drop');
    isOpen = isComing = false;
    expect(pressAll()).toEqual(['Escape', 'Ctrl+K', 'Alt+1', 'A']);
  });
});

const press = (
  key: string,
  held: Partial<Record<'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey', boolean> & { code: string }> = {},
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

  it('a key press on a Russian keyboard is that of the Latin letter or sign on the same key', () => {
    expect(press('ф', { code: 'KeyA' })).toBe('A');
    expect(press('Ф', { code: 'KeyA', shiftKey: true })).toBe('Shift+A');
    expect(press('л', { code: 'KeyK', ctrlKey: true })).toBe('Ctrl+K');
    expect(press('б', { code: 'Comma' })).toBe(',');
    expect(press('Б', { code: 'Comma', shiftKey: true })).toBe('<');
    expect(press('х', { code: 'BracketLeft' })).toBe('[');
  });

  it('a key press that an input method takes, or a held Alt makes a sign of, is that of its key', () => {
    expect(press('Process', { code: 'KeyA' })).toBe('A');
    expect(press('ˆ', { code: 'KeyI', altKey: true })).toBe('Alt+I');
    expect(press('&', { code: 'Digit1', altKey: true })).toBe('Alt+1');
  });

  it('a key press on a keyboard of Latin letters in another order is that of its label', () => {
    expect(press('a', { code: 'KeyQ' })).toBe('A');
    expect(press('q', { code: 'KeyA' })).toBe('Q');
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
