import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Kbd } from '../ui/Kbd.tsx';
import { Modal } from '../ui/Modal.tsx';
import { COMMAND_GROUPS } from './command.ts';
import { COMMANDS } from './commands.ts';
import { keycapOf } from './shortcuts.ts';
import './Palette.css';

/** Every key, by what it is for. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  const { preferences } = useAppContext();
  const on = useStore(preferences, (state) => state.singleKeys);
  return (
    <Modal title={t('keys.title')} onClose={onClose} width={640}>
      {!on && <p className="form-sentence">{t('keys.off')}</p>}
      {/* Can be scrolled by keys where it does not fit. */}
      <div className="keys" role="group" aria-label={t('keys.title')} tabIndex={0}>
        {COMMAND_GROUPS.map((group) => (
          <section key={group} className="keys__group">
            <h3 className="faint">{t(`keys.group.${group}`)}</h3>
            <ul>
              {COMMANDS.filter((command) => command.group === group).map(
                ({ id, label, shortcut, keycap }) =>
                  shortcut !== null && (
                    <li key={id} className="keys__row">
                      <span>{t(label)}</span>
                      <Kbd>{keycap ?? keycapOf(shortcut)}</Kbd>
                    </li>
                  ),
              )}
            </ul>
          </section>
        ))}
      </div>
    </Modal>
  );
}
