import { RotateCw } from 'lucide-react';
import { useId, useState } from 'react';
import { isProblem, Unreachable } from '../../api/errors.ts';
import { formatNumber } from '../../format/numbers.ts';
import type { Translate } from '../../i18n/text.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { Choice } from '../../ui/Select.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { RetryButton } from '../../ui/RetryButton.tsx';
import {
  type FencePreview,
  type PreviewState,
  type PreviewSubject,
  useGeofencePreview,
} from './geofencePreview.ts';
import { VisitList } from './VisitList.tsx';
import { previewSentence } from './visitLabels.ts';
import './PreviewDock.css';

const PERIODS = ['1', '7', '30'] as const;
type Period = (typeof PERIODS)[number];

/**
 * What a geofence would have done in the past, under the form that it is changed in. `subject` is null while the shape
 * is not whole; it must keep its identity while it is the same.
 */
export function PreviewDock({
  subject,
  roomy,
  onDemand = false,
}: {
  subject: PreviewSubject | null;
  /** Lists the visits from the start. */
  roomy: boolean;
  /** Looks only when it is asked to. */
  onDemand?: boolean;
}) {
  const t = useT();
  const titleId = useId();
  const [period, setPeriod] = useState<Period>('7');
  const [listed, setListed] = useState(roomy);
  const [asked, setAsked] = useState(!onDemand);
  const { preview, state } = useGeofencePreview(asked ? subject : null, Number(period));
  const visits = state.result?.items ?? [];
  return (
    <section className="preview-dock" aria-labelledby={titleId}>
      <div className="preview-dock__head">
        <h3 id={titleId} className="fill">
          {t(onDemand ? 'preview.title_saved' : 'preview.title')}
        </h3>
        <Choice
          quiet
          label={t('preview.period')}
          options={PERIODS.map((id) => ({ id, label: t(`preview.last.${id}`) }))}
          value={period}
          onChange={setPeriod}
        />
      </div>
      <div className="preview-dock__words">
        {asked ? (
          <PreviewWords state={state} hasSubject={subject !== null} preview={preview} />
        ) : (
          <div>
            <Button size="small" onPress={() => setAsked(true)}>
              {t('preview.look')}
            </Button>
          </div>
        )}
        {visits.length > 0 && (
          <div>
            <Button size="small" onPress={() => setListed(!listed)}>
              {t(listed ? 'preview.hide_visits' : 'preview.show_visits')}
            </Button>
          </div>
        )}
      </div>
      {listed && visits.length > 0 && (
        <div className="preview-dock__list" data-old={state.phase === 'done' ? undefined : ''}>
          <VisitList visits={visits} />
        </div>
      )}
    </section>
  );
}

function PreviewWords({
  state,
  hasSubject,
  preview,
}: {
  state: PreviewState;
  hasSubject: boolean;
  preview: FencePreview;
}) {
  const t = useT();
  if (!hasSubject) return <p className="quiet">{t('preview.no_shape')}</p>;
  const { phase, result, share } = state;
  return (
    <>
      {result !== null && (
        <p className={phase === 'done' ? 'preview-dock__sentence' : 'preview-dock__sentence faint'}>
          {previewSentence(result, state.resultDays, t)}
        </p>
      )}
      {phase === 'done' && result !== null && (
        <p className="small faint" role="status">
          {t('preview.looked_at', {
            vehicles: formatNumber(result.vehicles),
            positions: formatNumber(result.positions),
          })}
          {result.truncated && ` ${t('preview.truncated', { number: formatNumber(result.items.length) })}`}
        </p>
      )}
      {(phase === 'waiting' || phase === 'running') && (
        <div className="preview-dock__progress">
          <span className="small quiet">{t(result === null ? 'preview.reading' : 'preview.changed')}</span>
          <Meter label={t('preview.progress')} value={share} />
          <Button size="small" kind="quiet" onPress={preview.cancel}>
            {t('ui.cancel')}
          </Button>
        </div>
      )}
      {(phase === 'failed' || phase === 'cancelled') && (
        <div className="preview-dock__failed">
          <p role={phase === 'failed' ? 'alert' : 'status'}>
            {phase === 'failed' ? failureText(state.error, t) : t('preview.cancelled')}
          </p>
          <RetryButton size="small" icon={RotateCw} onRetry={preview.again}>
            {t('preview.again')}
          </RetryButton>
        </div>
      )}
    </>
  );
}

/** Why the past could not be read, and what goes on all the same. */
function failureText(error: unknown, t: Translate): string {
  const reason = isProblem(error)
    ? error.code === 'validation_failed' && error.faults.length > 0
      ? error.faults.map(({ message }) => message).join('; ')
      : error.problem.detail
    : error instanceof Unreachable
      ? t('failure.no_answer')
      : t('failure.unexpected');
  return t('preview.failed', { reason });
}
