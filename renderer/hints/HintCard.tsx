import { useEffect, useState } from 'react';
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
  anchor: Element | null;
}

/** One hint at a time over the map, what it is about framed. It takes no focus, and gives way to dialogs. */
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
      const anchor = next === null ? null : document.querySelector(next.hint.anchor);
      setShown((before) =>
        next === null
          ? null
          : before?.hint === next.hint && before.anchor === anchor
            ? before
            : { ...next, anchor },
      );
      stop = app.clock.after(LOOK_MS, look);
    };
    stop = app.clock.after(0, look);
    return () => stop();
  }, [app, seen, isFree]);

  const anchor = isFree ? (shown?.anchor ?? null) : null;
  useEffect(() => {
    anchor?.setAttribute('data-hinted', '');
    return () => anchor?.removeAttribute('data-hinted');
  }, [anchor]);

  if (shown === null || !isFree) return null;
  const { hint, number } = shown;
  const keys = hint.keys.flatMap((key) => hintOf(keyMap, key) ?? []);
  return (
    <aside
      className="hint"
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
  );
}
