import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../renderer/commands/commands.ts';
import { hintOf, keysTextOf } from '../../../renderer/commands/keyHints.ts';
import { firstKeyOf, keyOf, refusalOf, withKey } from '../../../renderer/commands/keyMap.ts';

describe('the keys of a user', () => {
  it('an action that is given another key has only that, and its old key does nothing', () => {
    const map = withKey({}, 'A', 'U');
    expect([keyOf(map, 'A'), keyOf(map, 'L')]).toEqual(['U', 'L']);
    expect([firstKeyOf(map, 'U'), firstKeyOf(map, 'A'), firstKeyOf(map, 'L')]).toEqual(['A', null, 'L']);
  });

  it('an action whose key is taken by another has none, until that has another or its own one', () => {
    const taken = withKey({}, 'A', 'L');
    expect([keyOf(taken, 'A'), keyOf(taken, 'L')]).toEqual(['L', null]);
    expect([firstKeyOf(taken, 'L'), firstKeyOf(taken, 'A')]).toEqual(['A', null]);
    expect(withKey(taken, 'L', 'A')).toEqual({ A: 'L', L: 'A' });
    expect(withKey(taken, 'A', 'A')).toEqual({});
  });

  it('a key that was given to one action and is given to another leaves the first its own key', () => {
    expect(withKey({ A: 'U' }, 'L', 'U')).toEqual({ L: 'U' });
    expect(withKey({ A: 'L', L: 'A' }, 'A', 'A')).toEqual({});
  });

  it('keys that the browser, text fields and the focus need are refused with the reason', () => {
    expect(['Ctrl+T', 'F5', 'Shift+F10', 'Ctrl+C', 'Tab', 'Shift+ArrowUp', 'Escape'].map(refusalOf)).toEqual([
      'keys.refused.browser',
      'keys.refused.browser',
      'keys.refused.browser',
      'keys.refused.editing',
      'keys.refused.moving',
      'keys.refused.moving',
      'keys.refused.moving',
    ]);
    for (const key of ['A', 'Shift+A', 'Ctrl+K', 'Alt+1', 'F6', '/', '?', '+', '['])
      expect(refusalOf(key), key).toBeNull();
  });

  it('a hint names the key that the action has now, and is gone where it has none', () => {
    const map = { A: 'U', 'Ctrl+K': 'Ctrl+J', L: 'Shift+A', '-': 'Alt+-' };
    expect(['A', 'Ctrl K', 'Shift A', '−', 'L', 'Esc', ', .'].map((it) => hintOf(map, it))).toEqual([
      'U',
      'Ctrl J',
      null,
      'Alt −',
      'Shift A',
      'Esc',
      ', .',
    ]);
  });

  it('the list of keys shows every command with its keys as they are now', () => {
    const span = COMMANDS.find((it) => it.id === 'history_span');
    const ack = COMMANDS.find((it) => it.shortcut === 'A');
    if (span === undefined || ack === undefined) throw new Error('the commands are others now');
    expect([keysTextOf({}, span), keysTextOf({ I: 'U' }, span)]).toEqual(['I O', 'U O']);
    expect([keysTextOf({}, ack), keysTextOf({ A: 'Shift+U' }, ack)]).toEqual(['A', 'Shift U']);
  });
});
