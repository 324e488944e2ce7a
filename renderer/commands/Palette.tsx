import { History, Search } from 'lucide-react';
import { Fragment, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { loadLaterTexts } from '../i18n/text.ts';
import { useT } from '../i18n/useT.ts';
import { lastView } from '../live/lastView.ts';
import { createPlaceSearch } from '../points/placeSearch.ts';
import { canOpen } from '../navigation/navigation.ts';
import { useRules } from '../rules/ruleList.ts';
import { Icon } from '../ui/Icon.tsx';
import { Kbd } from '../ui/Kbd.tsx';
import type { EventSearch, EventSearchState } from './eventSearch.ts';
import {
  eventsBeside,
  isCommandsOnly,
  keptInPlace,
  onSearchedChange,
  paletteEntries,
  placeEntries,
  warmSearch,
  type PaletteEntry,
} from './paletteEntries.tsx';
import './Palette.css';

/** Vehicles; some milliseconds. */
const WARMED_AT_ONCE = 500;

/** One field for everything: vehicles, moments, geofences, commands, and places of the map files. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const [input, setInput] = useState('');
  /** The id of the entry that was chosen; null for the first one. */
  const [chosen, setChosen] = useState<string | null>(null);
  const [search] = useState(() =>
    createPlaceSearch({ api: app.api, clock: app.clock, mapList: app.mapList, near: () => lastView(app) }),
  );
  const { phase, places } = useStore(search.store);
  useEffect(() => search.stop, [search]);
  const events = useFoundEvents(input);
  const isSearching = phase === 'searching' || events.isSearching;
  useEffect(() => {
    let stop = (): void => undefined;
    // While the first key is on its way, in slices that no key waits for.
    const warm = () => {
      if (warmSearch(app, WARMED_AT_ONCE)) stop = app.clock.after(0, warm);
    };
    stop = app.clock.after(0, warm);
    return () => stop();
  }, [app]);
  const rules = useRules(canOpen(app.user, 'rules'));
  const edition = useSearchedEdition();
  // eslint-disable-next-line react-hooks/exhaustive-deps -- `edition`: records have changed
  const own = useMemo(() => paletteEntries(app, input, rules), [app, input, rules, edition]);
  const found: readonly PaletteEntry[] = useMemo(
    () => [
      ...own,
      ...events.incidents,
      ...eventsBeside(own, events.entries),
      ...placeEntries(app, places, input),
    ],
    [app, own, events.incidents, events.entries, places, input],
  );
  const [shown, setShown] = useState({ input, found, entries: found });
  const indexIn = (list: readonly PaletteEntry[]) =>
    Math.max(
      list.findIndex(({ id }) => id === chosen),
      0,
    );
  if (shown.found !== found) {
    const isSame = shown.input === input;
    const entries = isSame ? keptInPlace(shown.entries, found, indexIn(shown.entries)) : found;
    setShown({ input, found, entries });
  }
  const { entries } = shown;
  const at = indexIn(entries);

  const run = (entry: PaletteEntry) => {
    onClose();
    entry.run();
  };
  /** Enter was pressed before anything was found: the first place that comes is opened. */
  const [isAwaited, setAwaited] = useState(false);
  const [first] = entries;
  useEffect(() => {
    if (isAwaited && !isSearching && first !== undefined) run(first);
  });
  const results = useRef<HTMLDivElement>(null);
  const type = (typed: string) => {
    if (results.current !== null) results.current.scrollTop = 0;
    setInput(typed);
    setChosen(null);
    setAwaited(false);
    search.want(isCommandsOnly(typed) ? '' : typed);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && entries.length > 0) {
      event.preventDefault();
      setChosen(entries[(at + step + entries.length) % entries.length]?.id ?? null);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const entry = entries[at];
      if (entry !== undefined) run(entry);
      else setAwaited(isSearching);
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
              onChange={(event) => type(event.target.value)}
              onKeyDown={onKeyDown}
            />
            <Kbd>Esc</Kbd>
          </div>
          <div
            ref={results}
            className="palette__results"
            role="listbox"
            id="palette-results"
            aria-label={t('palette.results')}
          >
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
                  ref={index === at && chosen !== null ? intoView : null}
                  onPointerMove={() => setChosen(entry.id)}
                  onClick={() => run(entry)}
                >
                  <span className="palette__icon">{entry.icon}</span>
                  <span className="ellipsis">
                    {entry.parts.map((part, place) =>
                      part.typed ? <b key={place}>{part.text}</b> : part.text,
                    )}
                  </span>
                  <span className="quiet ellipsis" title={entry.detail}>
                    {entry.detail}
                  </span>
                  {entry.keycap !== null && <Kbd>{entry.keycap}</Kbd>}
                </div>
              </Fragment>
            ))}
          </div>
          <p className="palette__state quiet" role="status">
            {phase === 'searching'
              ? t('palette.searching')
              : phase === 'failed'
                ? t('palette.places_failed')
                : events.words !== ''
                  ? events.words
                  : entries.length === 0
                    ? t('palette.nothing')
                    : null}
          </p>
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

const NO_EVENTS: EventSearchState = { typed: '', isSearching: false, entries: [], incidents: [], words: '' };

/** Events that match what is typed; what searches them is loaded when the palette is opened. */
function useFoundEvents(input: string): EventSearchState {
  const app = useAppContext();
  const [search, setSearch] = useState<EventSearch | null>(null);
  const [state, setState] = useState(NO_EVENTS);
  useEffect(() => {
    if (!canOpen(app.user, 'events')) return;
    let stop: (() => void) | null = () => undefined;
    Promise.all([import('./eventSearch.ts'), loadLaterTexts()]).then(
      ([{ createEventSearch }]) => {
        if (stop === null) return;
        const made = createEventSearch(app, <Icon of={History} />);
        made.store.subscribe(setState);
        stop = made.stop;
        setSearch(made);
      },
      () => setState({ ...NO_EVENTS, words: app.t('failure.part') }),
    );
    return () => {
      stop?.();
      stop = null;
    };
  }, [app]);
  const typed = isCommandsOnly(input) ? '' : input.trim();
  useEffect(() => search?.want(typed), [search, typed]);
  // What was found for other words is not shown for these.
  return search !== null && state.typed !== typed ? NO_EVENTS : state;
}

/** Between two looks at what has changed. */
const LOOK_MS = 500;

/** Changes with the records that are searched, while the palette is open. */
function useSearchedEdition(): number {
  const app = useAppContext();
  const [edition, setEdition] = useState(0);
  useEffect(() => {
    let stopTimer: (() => void) | null = null;
    const stop = onSearchedChange(app, () => {
      stopTimer ??= app.clock.after(LOOK_MS, () => {
        stopTimer = null;
        setEdition((it) => it + 1);
      });
    });
    return () => {
      stopTimer?.();
      stop();
    };
  }, [app]);
  return edition;
}

function intoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
