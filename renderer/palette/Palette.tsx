import { Search } from 'lucide-react';
import { Fragment, useMemo, useState, type KeyboardEvent } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import { useCommands } from '../CommandsContext.tsx';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Icon } from '../ui/Icon.tsx';
import { Kbd } from '../ui/Kbd.tsx';
import { paletteEntries, type PaletteEntry } from './paletteEntries.tsx';
import './Palette.css';

/** One field for everything: vehicles, moments, geofences and commands. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const commands = useCommands();
  const [input, setInput] = useState('');
  const [chosen, setChosen] = useState(0);
  const entries = useMemo(() => paletteEntries(app, commands, t, input), [app, commands, t, input]);
  const at = Math.min(chosen, entries.length - 1);

  const run = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && entries.length > 0) {
      event.preventDefault();
      setChosen((at + step + entries.length) % entries.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(entries[at]);
    }
  };

  return (
    <ModalOverlay className="modal-scrim" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className="palette">
        <Dialog className="palette__dialog" aria-label={t('palette.title')}>
          <div className="palette__input">
            <Icon of={Search} />
            <input
              role="combobox"
              aria-expanded
              aria-controls="palette-results"
              aria-activedescendant={entries[at]?.id}
              aria-label={t('palette.title')}
              placeholder={t('palette.placeholder')}
              value={input}
              autoFocus
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => {
                setInput(event.target.value);
                setChosen(0);
              }}
              onKeyDown={onKeyDown}
            />
            <Kbd>Esc</Kbd>
          </div>
          <div
            className="palette__results"
            role="listbox"
            id="palette-results"
            aria-label={t('palette.results')}
          >
            {entries.length === 0 && <p className="palette__nothing quiet">{t('palette.nothing')}</p>}
            {entries.map((entry, index) => (
              <Fragment key={entry.id}>
                {entry.group !== entries[index - 1]?.group && (
                  <div className="palette__group" role="presentation">
                    {t(entry.group)}
                  </div>
                )}
                <div
                  id={entry.id}
                  role="option"
                  aria-selected={index === at}
                  className="palette__entry"
                  ref={index === at ? intoView : null}
                  onPointerMove={() => setChosen(index)}
                  onClick={() => run(entry)}
                >
                  <span className="palette__icon">{entry.icon}</span>
                  <span className="ellipsis">
                    {entry.parts.map((part, place) =>
                      part.typed ? <b key={place}>{part.text}</b> : part.text,
                    )}
                  </span>
                  <span className="quiet ellipsis">{entry.detail}</span>
                  {entry.keycap !== null && <Kbd>{entry.keycap}</Kbd>}
                </div>
              </Fragment>
            ))}
          </div>
          <div className="palette__foot">
            <span>
              <Kbd>↑</Kbd> <Kbd>↓</Kbd> {t('palette.move')}
            </span>
            <span>
              <Kbd>Enter</Kbd> {t('palette.open')}
            </span>
            <span className="fill" />
            <span>
              <Kbd>&gt;</Kbd> {t('palette.commands_only')}
            </span>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function intoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
