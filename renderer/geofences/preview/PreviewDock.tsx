import { RotateCw } from 'lucide-react';
import { useId, useState } from 'react';
import { isProblem, Unreachable } from '../../api/errors.ts';
import { numberText } from '../../format/numbers.ts';
import type { Say } from '../../i18n/text.ts';
import { useText } from '../../i18n/useText.ts';
import { Button } from '../../ui/Button.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { RetryButton } from '../../ui/RetryButton.tsx';
import type { FencePreview, PreviewState, PreviewSubject } from './fencePreview.ts';
import { useFencePreview } from './useFencePreview.ts';
import { VisitList } from './VisitList.tsx';
import { previewSentence } from './visitWords.ts';
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
  const say = useText();
  const titleId = useId();
  const [period, setPeriod] = useState<Period>('7');
  const [listed, setListed] = useState(roomy);
  const [asked, setAsked] = useState(!onDemand);
  const { preview, state } = useFencePreview(asked ? subject : null, Number(period));
  const visits = state.result?.items ?? [];
  return (
    <section className="preview-dock" aria-labelledby={titleId}>
      <div className="preview-dock__head">
        <h3 id={titleId} className="fill">
          {say(onDemand ? 'preview.title_saved' : 'preview.title')}
        </h3>
        <Choice
          quiet
          label={say('preview.period')}
          options={PERIODS.map((id) => ({ id, label: say(`preview.last.${id}`) }))}
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
              {say('preview.look')}
            </Button>
          </div>
        )}
        {visits.length > 0 && (
          <div>
            <Button size="small" onPress={() => setListed(!listed)}>
              {say(listed ? 'preview.hide_visits' : 'preview.show_visits')}
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
  const say = useText();
  if (!hasSubject) return <p className="quiet">{say('preview.no_shape')}</p>;
  const { phase, result, share } = state;
  return (
    <>
      {result !== null && (
        <p className={phase === 'done' ? 'preview-dock__sentence' : 'preview-dock__sentence faint'}>
          {previewSentence(result, state.resultDays, say)}
        </p>
      )}
      {phase === 'done' && result !== null && (
        <p className="small faint" role="status">
          {say('preview.looked_at', {
            vehicles: numberText(result.vehicles),
            positions: numberText(result.positions),
          })}
          {result.truncated && ` ${say('preview.truncated', { number: numberText(result.items.length) })}`}
        </p>
      )}
      {(phase === 'waiting' || phase === 'running') && (
        <div className="preview-dock__progress">
          <span className="small quiet">{say(result === null ? 'preview.reading' : 'preview.changed')}</span>
          <Meter label={say('preview.progress')} value={share} />
          <Button size="small" kind="quiet" onPress={preview.cancel}>
            {say('ui.cancel')}
          </Button>
        </div>
      )}
      {(phase === 'failed' || phase === 'cancelled') && (
        <div className="preview-dock__failed">
          <p role={phase === 'failed' ? 'alert' : 'status'}>
            {phase === 'failed' ? failureText(state.error, say) : say('preview.cancelled')}
          </p>
          <RetryButton size="small" icon={RotateCw} onRetry={preview.again}>
            {say('preview.again')}
          </RetryButton>
        </div>
      )}
    </>
  );
}

/** Why the past could not be read, and what goes on all the same. */
function failureText(error: unknown, say: Say): string {
  const reason = isProblem(error)
    ? error.code === 'validation_failed' && error.faults.length > 0
      ? error.faults.map(({ message }) => message).join('; ')
      : error.problem.detail
    : error instanceof Unreachable
      ? say('failure.no_answer')
      : say('failure.unexpected');
  return say('preview.failed', { reason });
}
