import { useCommands } from '../CommandsContext.tsx';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { keycapOf } from '../keyboard/shortcut.ts';
import { useStore } from 'zustand';
import { Keycap } from '../ui/Keycap.tsx';
import { Modal } from '../ui/Modal.tsx';
import { VIDEO_KEYS } from '../video/videoKeyList.ts';
import './Palette.css';

const GROUPS = ['selection', 'queue', 'map', 'go', 'panes', 'console'] as const;

/** Every key, by what it is for. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const say = useText();
  const { preferences } = useDesk();
  const on = useStore(preferences, (state) => state.singleKeys);
  const commands = useCommands();
  return (
    <Modal title={say('keys.title')} onClose={onClose} width={640}>
      {!on && <p className="form-sentence">{say('keys.off')}</p>}
      {/* Can be scrolled by keys where it does not fit. */}
      <div className="keys" role="group" aria-label={say('keys.title')} tabIndex={0}>
        {GROUPS.map((group) => (
          <section key={group} className="keys__group">
            <h3 className="faint">{say(`keys.group.${group}`)}</h3>
            <ul>
              {commands
                .filter((command) => command.group === group && command.shortcut !== null)
                .map((command) => (
                  <li key={command.id} className="keys__row">
                    <span>{say(command.label)}</span>
                    {command.shortcut !== null && <Keycap>{keycapOf(command.shortcut)}</Keycap>}
                  </li>
                ))}
            </ul>
          </section>
        ))}
        <section className="keys__group">
          <h3 className="faint">{say('keys.group.video')}</h3>
          <ul>
            {VIDEO_KEYS.map(({ shortcut, label }) => (
              <li key={label} className="keys__row">
                <span>{say(label)}</span>
                <Keycap>{shortcut}</Keycap>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </Modal>
  );
}
