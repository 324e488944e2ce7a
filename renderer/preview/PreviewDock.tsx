import { RotateCw } from 'lucide-react';
import { useEffect, useId, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { longestPreviewDays } from '../../server/contract/preview.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import type { Translate } from '../i18n/text.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { Meter } from '../ui/Meter.tsx';
import { OwnPeriod } from '../ui/PeriodField.tsx';
import type { Period } from '../ui/period.ts';
import { RetryButton } from '../ui/RetryButton.tsx';
import { Choice } from '../ui/Select.tsx';
import type { PreviewStore } from './previewStore.ts';
import './PreviewDock.css';

const PERIODS = ['1', '7', '30', 'own'] as const;
const DAY_MS = 86_400_000;

/**
 * What something would have done in the past, under the form that it is changed in. `subject` is null while it is not
 * whole; it must keep its identity while it is the same.
 */
export function PreviewDock<Subject, Result extends { items: readonly unknown[] }>({
  title,
  create,
  subject,
  texts,
  sentence,
  looked,
  failure,
  isRoomy = false,
  onDemand,
  period,
  onResult,
  list,
}: {
  title: string;
  create: () => PreviewStore<Subject, Result>;
  subject: Subject | null;
  texts: { incomplete: string; changed: string; show: string; hide: string };
  /** What was found, with the words for the period. */
  sentence: (result: Result, period: string) => string;
  /** What was looked at for it. */
  looked: (result: Result) => string;
  failure: (error: unknown) => string;
  /** Lists what was found from the start. */
  isRoomy?: boolean;
  /** Set where it looks only when it is asked to: what the button says. */
  onDemand?: string;
  /** Looks at this period at first, and at once. */
  period?: Period;
  /** Shows what was found elsewhere too; must keep its identity. Returns its undo. */
  onResult?: (items: Result['items']) => () => void;
  list: (items: Result['items']) => ReactNode;
}) {
  const t = useT();
  const titleId = useId();
  const app = useAppContext();
  const time = useStore(app.settings, (state) => state.time);
  const [days, setDays] = useState<(typeof PERIODS)[number]>(period === undefined ? '7' : 'own');
  const [own, setOwn] = useState<Period>(() => {
    const to = app.serverTime.now();
    return period ?? { from: to - DAY_MS, to };
  });
  const [isListed, setListed] = useState(isRoomy);
  const [isAsked, setAsked] = useState(onDemand === undefined || period !== undefined);
  const [preview] = useState(create);
  const { phase, share, result, resultPeriod, error } = useStore(preview.store);
  useEffect(() => {
    const wanted = days === 'own' ? own : Number(days);
    preview.want(subject === null || !isAsked ? null : { subject, period: wanted });
  }, [preview, subject, isAsked, days, own]);
  useEffect(() => () => preview.stop(), [preview]);
  const items = result?.items;
  useEffect(() => (items === undefined ? undefined : onResult?.(items)), [items, onResult]);

  const isFound = items !== undefined && items.length > 0;
  return (
    <section className="preview-dock" aria-labelledby={titleId}>
      <div className="preview-dock__head">
        <h3 id={titleId} className="fill">
          {title}
        </h3>
        <Choice
          quiet
          label={t('preview.period')}
          options={PERIODS.map((id) => ({ id, label: t(`preview.last.${id}`) }))}
          value={days}
          onChange={setDays}
        />
      </div>
      {days === 'own' && (
        <div className="preview-dock__own">
          <OwnPeriod value={own} onChange={setOwn} maxDays={longestPreviewDays} timeZone={time.timeZone} />
        </div>
      )}
      <div className="preview-dock__words">
        {!isAsked && (
          <div>
            <Button size="small" onPress={() => setAsked(true)}>
              {onDemand}
            </Button>
          </div>
        )}
        {isAsked && subject === null && <p className="quiet">{texts.incomplete}</p>}
        {isAsked && subject !== null && (
          <>
            {result !== null && (
              <p className={phase === 'done' ? 'preview-dock__sentence' : 'preview-dock__sentence faint'}>
                {sentence(result, wordsOfPeriod(resultPeriod, t))}
              </p>
            )}
            {phase === 'done' && result !== null && (
              <p className="small faint" role="status">
                {looked(result)}
              </p>
            )}
            {(phase === 'waiting' || phase === 'running') && (
              <div className="preview-dock__progress">
                <span className="small quiet">{result === null ? t('preview.reading') : texts.changed}</span>
                <Meter label={t('preview.progress')} value={share} />
                <Button size="small" kind="quiet" onPress={preview.cancel}>
                  {t('ui.cancel')}
                </Button>
              </div>
            )}
            {(phase === 'failed' || phase === 'cancelled') && (
              <div className="preview-dock__failed">
                <p role={phase === 'failed' ? 'alert' : 'status'}>
                  {phase === 'failed' ? failure(error) : t('preview.cancelled')}
                </p>
                <RetryButton size="small" icon={RotateCw} onRetry={preview.again}>
                  {t('preview.again')}
                </RetryButton>
              </div>
            )}
          </>
        )}
        {isFound && (
          <div>
            <Button size="small" onPress={() => setListed(!isListed)}>
              {isListed ? texts.hide : texts.show}
            </Button>
          </div>
        )}
      </div>
      {isListed && isFound && (
        <div className="preview-dock__list" data-old={phase === 'done' ? undefined : ''}>
          {list(items)}
        </div>
      )}
    </section>
  );
}

function wordsOfPeriod(period: number | Period, t: Translate): string {
  const name = typeof period === 'number' ? (PERIODS.find((it) => it === String(period)) ?? 'own') : 'own';
  return t(`preview.days.${name}`);
}
