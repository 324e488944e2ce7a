import { type KeyboardEvent, useState } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { Kbd } from '../ui/Kbd.tsx';
import { COMMAND_GROUPS, type Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import { keysTextOf, useKeyMap } from './keyHints.ts';
import { firstKeyOf, keyOf, type KeyMap, refusalOf, withKey } from './keyMap.ts';
import { keycapOf, shortcutOf } from './shortcuts.ts';
import './KeyTable.css';

/** The command that has a key of its own from the start, and can have another. */
const isFree = ({ shortcut, otherShortcuts = [] }: Command): boolean =>
  shortcut !== null && otherShortcuts.length === 0 && refusalOf(shortcut) === null;

const usersOf = (first: string): readonly Command[] =>
  COMMANDS.filter((it) => it.shortcut === first || it.otherShortcuts?.includes(first) === true);

/** What is asked while another key is chosen: nothing yet, to take it from what has it now, or another key. */
type Asked =
  { phase: 'waiting' } | { phase: 'taken'; key: string; by: string } | { phase: 'refused'; why: string };

/** Every key, by what it is for; those that are no part of every program can be exchanged. */
export function KeyTable() {
  const t = useT();
  const map = useKeyMap();
  const { preferences, userPreferences } = useAppContext();
  const on = useStore(preferences, (state) => state.singleKeys);
  const [open, setOpen] = useState<{ id: string; asked: Asked } | null>(null);
  const save = (changed: KeyMap) => {
    setOpen(null);
    userPreferences.change({ shortcuts: Object.keys(changed).length === 0 ? undefined : changed });
  };
  const press = ({ id, shortcut }: Command, key: string): void => {
    if (shortcut === null) return;
    const refusal = refusalOf(key);
    const first = firstKeyOf(map, key);
    const users = first === null || first === shortcut ? [] : usersOf(first);
    const fixed = users.find((it) => !isFree(it));
    const names = [...new Set(users.map((it) => t(it.label)))].join(', ');
    if (refusal !== null) setOpen({ id, asked: { phase: 'refused', why: t(refusal) } });
    else if (fixed !== undefined)
      setOpen({ id, asked: { phase: 'refused', why: t('keys.refused.fixed', { name: t(fixed.label) }) } });
    else if (users.length > 0) setOpen({ id, asked: { phase: 'taken', key, by: names } });
    else save(withKey(map, shortcut, key));
  };

  return (
    <>
      {!on && <p className="form-sentence">{t('keys.off')}</p>}
      <div className="keys__about quiet">
        <span>{t('keys.shared')}</span>
        <Button size="small" disabled={Object.keys(map).length === 0} onPress={() => save({})}>
          {t('keys.reset_all')}
        </Button>
      </div>
      {/* Can be scrolled by keys where it does not fit. */}
      <div className="keys" role="group" aria-label={t('keys.title')} tabIndex={0}>
        {COMMAND_GROUPS.map((group) => (
          <section key={group} className="keys__group">
            <h3 className="faint">{t(`keys.group.${group}`)}</h3>
            <ul>
              {COMMANDS.filter((it) => it.group === group && it.shortcut !== null).map((command) => (
                <KeyRow
                  key={command.id}
                  command={command}
                  asked={open?.id === command.id ? open.asked : null}
                  onOpen={() => setOpen({ id: command.id, asked: { phase: 'waiting' } })}
                  onCancel={() => setOpen(null)}
                  onPress={(key) => press(command, key)}
                  onTake={(key) => save(withKey(map, command.shortcut ?? '', key))}
                  onReset={() => save(withKey(map, command.shortcut ?? '', command.shortcut ?? ''))}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}

function KeyRow({
  command,
  asked,
  onOpen,
  onCancel,
  onPress,
  onTake,
  onReset,
}: {
  command: Command;
  /** Null while no other key is chosen for it. */
  asked: Asked | null;
  onOpen: () => void;
  onCancel: () => void;
  onPress: (key: string) => void;
  onTake: (key: string) => void;
  onReset: () => void;
}) {
  const t = useT();
  const map = useKeyMap();
  const { shortcut } = command;
  const name = t(command.label);
  if (shortcut === null) return null;
  if (!isFree(command)) {
    return (
      <li className="keys__row">
        <span>{name}</span>
        <Kbd isWritten>{keysTextOf(map, command)}</Kbd>
      </li>
    );
  }
  const now = keyOf(map, shortcut);
  const onKeyDown = (event: KeyboardEvent) => {
    // Tab leaves, as everywhere; a key that is only held is not pressed yet.
    if (event.key === 'Tab' || ['Shift', 'Control', 'Alt', 'AltGraph', 'Meta'].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') onCancel();
    else onPress(shortcutOf(event.nativeEvent));
  };
  return (
    <li className="keys__row">
      <span>{name}</span>
      {asked === null || asked.phase === 'taken' ? (
        <span className="keys__key">
          {now !== shortcut && asked === null && (
            <Button
              size="small"
              kind="quiet"
              label={t('keys.reset_for', { name, key: keycapOf(shortcut) })}
              onPress={onReset}
            >
              {t('keys.reset')}
            </Button>
          )}
          <Button size="small" label={t('keys.change', { name })} onPress={onOpen}>
            {now === null ? t('keys.none') : <Kbd isWritten>{keycapOf(now)}</Kbd>}
          </Button>
        </span>
      ) : (
        <button
          type="button"
          className="keys__listening"
          autoFocus
          aria-label={t('keys.press_for', { name })}
          onKeyDown={onKeyDown}
          onBlur={onCancel}
        >
          {t('keys.press')}
        </button>
      )}
      <span className="keys__message small" role="status">
        {asked?.phase === 'refused' ? asked.why : null}
        {asked?.phase === 'taken' ? t('keys.taken', { key: keycapOf(asked.key), names: asked.by }) : null}
      </span>
      {asked?.phase === 'taken' && (
        <span className="keys__choice">
          <Button size="small" kind="primary" autoFocus onPress={() => onTake(asked.key)}>
            {t('keys.take', { key: keycapOf(asked.key) })}
          </Button>
          <Button size="small" onPress={onCancel}>
            {t('ui.cancel')}
          </Button>
        </span>
      )}
    </li>
  );
}
