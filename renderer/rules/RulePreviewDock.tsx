import { RotateCw } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { rulePreview, ruleRoutes, type NewRule, type RulePreview } from '../../server/contract/rules.ts';
import { askProgress } from '../api/progress.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { numberText } from '../format/numbers.ts';
import { useText } from '../i18n/useText.ts';
import { createPastPreview } from '../past/pastPreview.ts';
import { Button } from '../ui/Button.tsx';
import { Choice } from '../ui/Choice.tsx';
import { DataTable, type Column } from '../ui/DataTable.tsx';
import { sentenceOf } from '../ui/formFaults.ts';
import { Meter } from '../ui/Meter.tsx';
import { TimeOfDay } from '../ui/Moment.tsx';
import { RetryButton } from '../ui/RetryButton.tsx';

const DAYS = ['1', '7', '30'] as const;
type Item = RulePreview['items'][number];

const keyOf = (it: Item) => `${it.vehicle_id} ${it.first_time} ${it.geozone_id ?? ''}`;

/** What the rule, as it stands in the form, would have done: before it wakes anybody. */
export function RulePreviewDock({ rule }: { rule: NewRule | null }) {
  const desk = useDesk();
  const say = useText();
  const [days, setDays] = useState<(typeof DAYS)[number]>('7');
  const [listed, setListed] = useState(false);
  const [preview] = useState(() =>
    createPastPreview<NewRule, RulePreview>({
      clock: desk.clock,
      now: () => desk.serverTime.now(),
      ask: (wanted, period, signal, onProgress) =>
        askProgress(
          desk.api,
          ruleRoutes.preview,
          rulePreview,
          // How loud it is and whether it is on changes nothing of when it fires.
          { body: { ...period, rule: { ...wanted, enabled: true, name: wanted.name || '-' } }, signal },
          onProgress,
        ),
    }),
  );
  const { phase, share, result, resultDays, error } = useStore(preview.store);
  useEffect(() => {
    preview.want(rule === null ? null : { subject: firing(rule), days: Number(days) });
  }, [preview, rule, days]);
  useEffect(() => () => preview.stop(), [preview]);
  const vehicles = useMemo(() => new Set((result?.items ?? []).map((it) => it.vehicle_id)).size, [result]);

  return (
    <section className="rule-preview" aria-label={say('rules.preview')}>
      <div className="rule-preview__head">
        <h3 className="fill">{say('rules.preview')}</h3>
        <Choice
          quiet
          label={say('rules.preview_period')}
          value={days}
          options={DAYS.map((id) => ({ id, label: say(`rules.preview_days.${id}`) }))}
          onChange={setDays}
        />
      </div>
      {rule === null && <p className="quiet">{say('rules.preview_incomplete')}</p>}
      {result !== null && (
        <p className={phase === 'done' ? 'rule-preview__sentence' : 'rule-preview__sentence faint'}>
          {result.truncated
            ? say('rules.preview_many', { count: result.notifications, days: resultDays })
            : say('rules.preview_result', {
                count: result.notifications,
                days: resultDays,
                vehicles: say('rules.preview_vehicles', { count: vehicles }),
              })}
        </p>
      )}
      {phase === 'done' && result !== null && (
        <p className="small faint" role="status">
          {say('rules.preview_looked', {
            vehicles: numberText(result.vehicles),
            positions: numberText(result.positions),
            events: numberText(result.events),
          })}
        </p>
      )}
      {(phase === 'waiting' || phase === 'running') && (
        <div className="rule-preview__progress">
          <span className="small quiet">{say('rules.preview_reading')}</span>
          <Meter label={say('rules.preview_reading')} value={share} />
          <Button size="small" kind="quiet" onPress={preview.cancel}>
            {say('ui.cancel')}
          </Button>
        </div>
      )}
      {(phase === 'failed' || phase === 'cancelled') && (
        <div className="rule-preview__progress">
          <p className="fill" role={phase === 'failed' ? 'alert' : 'status'}>
            {phase === 'failed'
              ? (sentenceOf(error, say) ?? say('failure.unexpected'))
              : say('rules.preview_cancelled')}
          </p>
          <RetryButton size="small" icon={RotateCw} onRetry={preview.again} />
        </div>
      )}
      {result !== null && result.items.length > 0 && (
        <div>
          <Button size="small" onPress={() => setListed(!listed)}>
            {say(listed ? 'rules.preview_hide' : 'rules.preview_show')}
          </Button>
        </div>
      )}
      {listed && result !== null && result.items.length > 0 && <Moments items={result.items} />}
    </section>
  );
}

/** Only what decides when a rule fires; the rest may change without asking again. */
function firing(rule: NewRule): NewRule {
  return {
    ...rule,
    name: '',
    severity: 'warning',
    channels: [],
    webhook_url: null,
    email_to: [],
    video: null,
  };
}

function Moments({ items }: { items: readonly Item[] }) {
  const desk = useDesk();
  const say = useText();
  const vehicles = useStore(desk.vehicles.store, (state) => state.byId);
  const columns = useMemo(
    (): readonly Column<Item>[] => [
      {
        id: 'vehicle',
        head: say('rules.preview_vehicle'),
        value: (it) => vehicles.get(it.vehicle_id)?.name ?? say('vehicle.gone'),
        width: 'minmax(72px, 1fr)',
      },
      {
        id: 'time',
        head: say('rules.preview_time'),
        value: (it) => it.first_time,
        cell: (it) => <TimeOfDay at={Date.parse(it.first_time)} withDate />,
        width: 'minmax(128px, auto)',
      },
      { id: 'count', head: say('rules.preview_count'), value: (it) => it.count, align: 'end', width: '56px' },
    ],
    [say, vehicles],
  );
  return (
    <div className="rule-preview__list">
      <DataTable name={say('rules.preview')} columns={columns} rows={items} keyOf={keyOf} />
    </div>
  );
}
