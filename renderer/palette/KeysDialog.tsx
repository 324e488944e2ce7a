import { useCommands } from '../CommandsContext.tsx';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { keycapOf } from '../keyboard/shortcut.ts';
import { useStore } from 'zustand';
import { Kbd } from '../ui/Kbd.tsx';
import { Modal } from '../ui/Modal.tsx';
import { VIDEO_KEYS } from '../video/videoKeyList.ts';
import './Palette.css';

const GROUPS = ['selection', 'queue', 'map', 'go', 'panes', 'console'] as const;

/** Every key, by what it is for. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  const { preferences } = useAppContext();
  const on = useStore(preferences, (state) => state.singleKeys);
  const commands = useCommands();
  return (
    <Modal title={t('keys.title')} onClose={onClose} width={640}>
      {!on && <p className="form-sentence">{t('keys.off')}</p>}
      {/* Can be scrolled by keys where it does not fit. */}
      <div className="keys" role="group" aria-label={t('keys.title')} tabIndex={0}>
        {GROUPS.map((group) => (
          <section key={group} className="keys__group">
            <h3 className="faint">{t(`keys.group.${group}`)}</h3>
            <ul>
              {commands
                .filter((command) => command.group === group && command.shortcut !== null)
                .map((command) => (
                  <li key={command.id} className="keys__row">
                    <span>{t(command.label)}</span>
                    {command.shortcut !== null && <Kbd>{keycapOf(command.shortcut)}</Kbd>}
                  </li>
                ))}
            </ul>
          </section>
        ))}
        <section className="keys__group">
          <h3 className="faint">{t('keys.group.video')}</h3>
          <ul>
            {VIDEO_KEYS.map(({ shortcut, label }) => (
              <li key={label} className="keys__row">
                <span>{t(label)}</span>
                <Kbd>{shortcut}</Kbd>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </Modal>
  );
}
