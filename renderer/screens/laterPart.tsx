import { type ComponentType, useEffect, useState } from 'react';
import { Unreachable } from '../api/errors.ts';
import type { Clock } from '../clock/clock.ts';
import { useT } from '../i18n/useT.ts';
import { LoadFailure } from '../ui/LoadFailure.tsx';

/** A part of the console that is not looked at all night: its code comes later than the first picture. */
export interface LaterPart {
  Part: ComponentType;
  /** Gets the code, so that the part opens at once, and without the server. */
  fetch: () => Promise<unknown>;
}

/** @param load its code; called again after it failed */
export function laterPart(load: () => Promise<ComponentType>): LaterPart {
  let Loaded: ComponentType | null = null;
  let loading: Promise<ComponentType> | null = null;
  const fetch = () => {
    loading ??= load().then(
      (found) => (Loaded = found),
      (error: unknown) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  };

  function Part() {
    const t = useT();
    const [shown, setShown] = useState<{ Loaded: ComponentType | null; error: unknown }>({
      Loaded,
      error: null,
    });
    const [tries, setTries] = useState(0);
    useEffect(() => {
      let isGone = false;
      fetch().then(
        (found) => {
          if (!isGone) setShown({ Loaded: found, error: null });
        },
        (error: unknown) => {
          if (!isGone) setShown({ Loaded: null, error });
        },
      );
      return () => {
        isGone = true;
      };
    }, [tries]);
    if (shown.Loaded !== null) return <shown.Loaded />;
    if (shown.error === null) return null;
    return (
      <LoadFailure
        title={t('failure.part')}
        stillWorks={t('failure.part_still')}
        // A module that cannot be had says no more than that.
        error={new Unreachable('the code of a screen could not be loaded')}
        nextTryAt={null}
        onRetry={() => setTries(tries + 1)}
      />
    );
  }
  return { Part, fetch };
}

/** The first picture comes before all else. */
const FIRST_MS = 3_000;
const PAUSE_MS = 200;

/** Gets the code of one part after the other while the server is there. Returns its undo. */
export function fetchParts(parts: readonly LaterPart[], clock: Pick<Clock, 'after'>): () => void {
  const [next, ...others] = parts;
  if (next === undefined) return () => undefined;
  let stop = clock.after(FIRST_MS, () => fetchNext(next, others));
  function fetchNext(part: LaterPart, rest: readonly LaterPart[]): void {
    const goOn = () => {
      const [first, ...further] = rest;
      if (first !== undefined) stop = clock.after(PAUSE_MS, () => fetchNext(first, further));
    };
    // One that fails is tried again when it is opened.
    part.fetch().then(goOn, goOn);
  }
  return () => stop();
}
