import { RotateCw } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { rulePreview, ruleRoutes, type NewRule, type RulePreview } from '../../server/contract/rules.ts';
import { askProgress } from '../api/progress.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { formatNumber } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { createPreviewStore } from '../preview/previewStore.ts';
import { Button } from '../ui/Button.tsx';
import { Choice } from '../ui/Select.tsx';
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
  const app = useAppContext();
  const t = useT();
  const [days, setDays] = useState<(typeof DAYS)[number]>('7');
  const [listed, setListed] = useState(false);
  const [preview] = useState(() =>
    createPreviewStore<NewRule, RulePreview>({
      clock: app.clock,
      now: () => app.serverTime.now(),
      ask: (wanted, period, signal, onProgress) =>
        askProgress(
          app.api,
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
    <section className="rule-preview" aria-label={t('rules.preview')}>
      <div className="rule-preview__head">
        <h3 className="fill">{t('rules.preview')}</h3>
        <Choice
          quiet
          label={t('rules.preview_period')}
          value={days}
          options={DAYS.map((id) => ({ id, label: t(`rules.preview_days.${id}`) }))}
          onChange={setDays}
        />
      </div>
      {rule === null && <p className="quiet">{t('rules.preview_incomplete')}</p>}
      {result !== null && (
        <p className={phase === 'done' ? 'rule-preview__sentence' : 'rule-preview__sentence faint'}>
          {result.truncated
            ? t('rules.preview_many', { count: result.notifications, days: resultDays })
            : t('rules.preview_result', {
                count: result.notifications,
                days: resultDays,
                vehicles: t('rules.preview_vehicles', { count: vehicles }),
              })}
        </p>
      )}
      {phase === 'done' && result !== null && (
        <p className="small faint" role="status">
          {t('rules.preview_looked', {
            vehicles: formatNumber(result.vehicles),
            positions: formatNumber(result.positions),
            events: formatNumber(result.events),
          })}
        </p>
      )}
      {(phase === 'waiting' || phase === 'running') && (
        <div className="rule-preview__progress">
          <span className="small quiet">{t('rules.preview_reading')}</span>
          <Meter label={t('rules.preview_reading')} value={share} />
          <Button size="small" kind="quiet" onPress={preview.cancel}>
            {t('ui.cancel')}
          </Button>
        </div>
      )}
      {(phase === 'failed' || phase === 'cancelled') && (
        <div className="rule-preview__progress">
          <p className="fill" role={phase === 'failed' ? 'alert' : 'status'}>
            {phase === 'failed'
              ? (sentenceOf(error, t) ?? t('failure.unexpected'))
              : t('rules.preview_cancelled')}
          </p>
          <RetryButton size="small" icon={RotateCw} onRetry={preview.again} />
        </div>
      )}
      {result !== null && result.items.length > 0 && (
        <div>
          <Button size="small" onPress={() => setListed(!listed)}>
            {t(listed ? 'rules.preview_hide' : 'rules.preview_show')}
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
  const app = useAppContext();
  const t = useT();
  const vehicles = useStore(app.vehicles.store, (state) => state.byId);
  const columns = useMemo(
    (): readonly Column<Item>[] => [
      {
        id: 'vehicle',
        head: t('rules.preview_vehicle'),
        value: (it) => vehicles.get(it.vehicle_id)?.name ?? t('vehicle.gone'),
        width: 'minmax(72px, 1fr)',
      },
      {
        id: 'time',
        head: t('rules.preview_time'),
        value: (it) => it.first_time,
        cell: (it) => <TimeOfDay at={Date.parse(it.first_time)} withDate />,
        width: 'minmax(128px, auto)',
      },
      { id: 'count', head: t('rules.preview_count'), value: (it) => it.count, align: 'end', width: '56px' },
    ],
    [t, vehicles],
  );
  return (
    <div className="rule-preview__list">
      <DataTable name={t('rules.preview')} columns={columns} rows={items} keyOf={keyOf} />
    </div>
  );
}
