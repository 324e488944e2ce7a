import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { COMMANDS } from '../../../renderer/commands/commands.ts';
import { menusOf, startMenuBar } from '../../../renderer/commands/menuBar.ts';
import type { CommandMenu } from '../../../renderer/platform/platform.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { openSession } from './openSession.ts';

/** What is over the console, as far as the menu bar asks. */
let dialog: object | null;
beforeEach(() => {
  dialog = null;
});
afterEach(() => vi.unstubAllGlobals());

function setUp() {
  const session = openSession();
  vi.stubGlobal('document', { activeElement: null, querySelector: () => dialog });
  const clock = createFakeClock();
  const app = { ...session.app, clock };
  const shown: CommandMenu[][] = [];
  let choose: (id: string) => void = () => undefined;
  const stop = startMenuBar(app, {
    show: (menus) => shown.push([...menus]),
    onChosen(run) {
      choose = run;
      return () => (choose = () => undefined);
    },
  });
  const items = () => shown.at(-1)?.flatMap(({ sections }) => sections.flat()) ?? [];
  const isEnabled = (id: string) => items().find((it) => it.id === id)?.enabled;
  return { app, clock, shown, items, isEnabled, stop, choose: (id: string) => choose(id) };
}

describe('the menu bar of the console', () => {
  it('the menu bar of the console has every command once that can be chosen, with its key', () => {
    const { app } = setUp();
    const items = menusOf(app, false).flatMap(({ sections }) => sections.flat());
    const expected = COMMANDS.filter((it) => it.needsKey === undefined).map((it) => it.id);
    expect(items.map(({ id }) => id).sort()).toEqual(expected.sort());
    expect(items.find(({ id }) => id === 'locate')).toMatchObject({ keys: 'L' });
    const titles = menusOf(app, false).map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it('the menu bar of the console follows what may run, and is sent only when it changes', () => {
    const { app, clock, shown, isEnabled } = setUp();
    app.navigation.go('live');
    app.view.setState({ vehicleId: null, notificationId: null });
    clock.advance(500);
    expect(isEnabled('locate')).toBe(false);
    const before = shown.length;
    clock.advance(5_000);
    expect(shown).toHaveLength(before);
    app.view.setState({ vehicleId: 'v1' });
    clock.advance(500);
    expect(isEnabled('locate')).toBe(true);
  });

  it('the menu bar of the console runs what was chosen, but nothing under a dialog', () => {
    const { app, clock, items, choose } = setUp();
    app.preferences.setState({ theme: 'dark' });
    choose('theme');
    expect(app.preferences.getState().theme).toBe('light');
    dialog = {};
    choose('theme');
    expect(app.preferences.getState().theme).toBe('light');
    clock.advance(500);
    expect(items().some(({ enabled }) => enabled)).toBe(false);
    choose('unknown');
  });

  it('the menu bar of the console is empty again after its end', () => {
    const { app, clock, shown, stop, choose } = setUp();
    stop();
    clock.advance(5_000);
    choose('theme');
    expect(shown.at(-1)).toEqual([]);
    expect(app.preferences.getState().theme).toBe('dark');
  });
});
