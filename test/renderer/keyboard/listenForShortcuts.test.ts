import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Command } from '../../../renderer/commands.ts';
import { listenForShortcuts } from '../../../renderer/keyboard/listenForShortcuts.ts';

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
function press(key: string, target: FakeElement, selection = { isCollapsed: true }): string[] {
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
  const commands = [command('copy_link', 'Ctrl+C'), command('palette', 'Ctrl+K')];
  const stop = listenForShortcuts(
    fakeWindow as unknown as Window,
    commands as unknown as Command[],
    () => true,
  );
  const preventDefault = () => ran.push('prevented');
  onKeyDown({ key, ctrlKey: true, metaKey: false, altKey: false, shiftKey: false, target, preventDefault });
  stop();
  return ran;
}

describe('Ctrl C', () => {
  beforeEach(() => void vi.stubGlobal('HTMLElement', FakeElement));
  afterEach(() => void vi.unstubAllGlobals());
  const page = new FakeElement('div');

  it('runs its command on the page', () => {
    expect(press('c', page)).toEqual(['prevented', 'copy_link']);
  });

  it('in a text field is left to the browser, which copies the selected text', () => {
    for (const tag of ['input', 'textarea']) expect(press('c', new FakeElement(tag))).toEqual([]);
    const editable = new FakeElement('div');
    editable.isContentEditable = true;
    expect(press('c', editable)).toEqual([]);
  });

  it('is left to the browser while text of the page is selected', () => {
    expect(press('c', page, { isCollapsed: false })).toEqual([]);
  });

  it('is the only key with Ctrl that a text field keeps: Ctrl K opens the palette from there too', () => {
    expect(press('k', new FakeElement('input'), { isCollapsed: false })).toEqual(['prevented', 'palette']);
  });
});
