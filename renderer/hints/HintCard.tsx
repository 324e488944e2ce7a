import { useEffect, useState } from 'react';
import { Popover } from 'react-aria-components';
import { useStore } from 'zustand';
import { hintNames } from '../../server/contract/preferences.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { hintOf, useKeyMap } from '../commands/keyHints.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { Kbd } from '../ui/Kbd.tsx';
import { nextHint, noteSeen, type Hint } from './hints.ts';
import './HintCard.css';

/** How often it is looked whether what hints point at is on the screen. */
const LOOK_MS = 500;

interface Shown {
  hint: Hint;
  number: number;
  anchor: { current: Element | null };
}

/** One hint at a time beside what it is about. It takes no focus, and gives way to dialogs. */
export function HintCard() {
  const app = useAppContext();
  const t = useT();
  const keyMap = useKeyMap();
  const seen = useStore(app.userPreferences.store, (state) => state.hints_seen);
  const isFree = useStore(app.view, (state) => state.overlay === null && !state.fullMap);
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    let stop = (): void => undefined;
    const look = () => {
      const next = isFree ? nextHint(seen, (selector) => document.querySelector(selector) !== null) : null;
      const current = next === null ? null : document.querySelector(next.hint.anchor);
      setShown((before) =>
        next === null
          ? null
          : before?.hint === next.hint && before.anchor.current === current
            ? before
            : { ...next, anchor: { current } },
      );
      stop = app.clock.after(LOOK_MS, look);
    };
    stop = app.clock.after(0, look);
    return () => stop();
  }, [app, seen, isFree]);

  if (shown === null || !isFree) return null;
  const { hint, number, anchor } = shown;
  const keys = hint.keys.flatMap((key) => hintOf(keyMap, key) ?? []);
  return (
    <Popover
      key={hint.id}
      triggerRef={anchor}
      isOpen
      isNonModal
      placement={hint.placement === 'outside' ? outside(anchor.current) : hint.placement}
      offset={10}
      shouldCloseOnInteractOutside={() => false}
      className="hint"
      trigger="Hint"
      aria-label={t('hint.title')}
    >
      <aside
        aria-label={t('hint.title')}
        data-pane
        tabIndex={-1}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          noteSeen(app, [hint.id]);
        }}
      >
        <h3>
          <span className="fill">{t(`hint.${hint.id}.title`)}</span>
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
        </h3>
        <p>{t(`hint.${hint.id}.text`)}</p>
        <div className="hint__foot">
          <span className="quiet fill">{t('hint.of', { number, total: hintNames.length })}</span>
          <Button size="small" onPress={() => noteSeen(app, hintNames)}>
            {t('hint.hide_all')}
          </Button>
          <Button size="small" kind="primary" onPress={() => noteSeen(app, [hint.id])}>
            {t('hint.got_it')}
          </Button>
        </div>
      </aside>
    </Popover>
  );
}

/** Beside the queue, which lies at the right of the window or along its bottom. */
const outside = (pane: Element | null): 'left top' | 'top start' =>
  (pane?.getBoundingClientRect().left ?? 0) > window.innerWidth / 2 ? 'left top' : 'top start';
