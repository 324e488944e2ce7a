import { useMemo } from 'react';
import { useStore } from 'zustand';
import { rulePreview, ruleRoutes, type NewRule, type RulePreview } from '../../server/contract/rules.ts';
import { askProgress } from '../api/progress.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { formatNumber } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { PreviewDock } from '../preview/PreviewDock.tsx';
import { createPreviewStore } from '../preview/previewStore.ts';
import { DataTable, type Column } from '../ui/DataTable.tsx';
import { sentenceOf } from '../ui/formFaults.ts';
import { TimeOfDay } from '../ui/Moment.tsx';

type Item = RulePreview['items'][number];

const keyOf = (it: Item) => `${it.vehicle_id} ${it.first_time} ${it.geozone_id ?? ''}`;

const createRulePreview = ({ api, clock, serverTime }: AppContext) =>
  createPreviewStore<NewRule, RulePreview>({
    clock,
    now: () => serverTime.now(),
    ask: (target, period, signal, onProgress) =>
      askProgress(
        api,
        ruleRoutes.preview,
        rulePreview,
        // How loud it is and whether it is on changes nothing of when it fires.
        { body: { ...period, rule: { ...target, enabled: true, name: target.name || '-' } }, signal },
        onProgress,
      ),
  });

/** What the rule, as it stands in the form, would have done: before it wakes anybody. */
export function RulePreviewDock({ rule }: { rule: NewRule | null }) {
  const app = useAppContext();
  const t = useT();
  const subject = useMemo(() => (rule === null ? null : firing(rule)), [rule]);
  const sentence = ({ truncated, notifications, items }: RulePreview, period: string) => {
    if (truncated) return t('rules.preview_many', { count: notifications, period });
    const count = new Set(items.map((it) => it.vehicle_id)).size;
    const vehicles = t('rules.preview_vehicles', { count });
    return t('rules.preview_result', { count: notifications, period, vehicles });
  };
  return (
    <PreviewDock<NewRule, RulePreview>
      title={t('rules.preview')}
      create={() => createRulePreview(app)}
      subject={subject}
      texts={{
        incomplete: t('rules.preview_incomplete'),
        changed: t('preview.reading'),
        show: t('rules.preview_show'),
        hide: t('rules.preview_hide'),
      }}
      sentence={sentence}
      looked={({ vehicles, positions, events }) =>
        t('rules.preview_looked', {
          vehicles: formatNumber(vehicles),
          positions: formatNumber(positions),
          events: formatNumber(events),
        })
      }
      failure={(error) => sentenceOf(error, t) ?? t('failure.unexpected')}
      list={(items) => <Moments items={items} />}
    />
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
        width: 'var(--moment-width)',
      },
      { id: 'count', head: t('rules.preview_count'), value: (it) => it.count, align: 'end', width: '56px' },
    ],
    [t, vehicles],
  );
  return <DataTable name={t('rules.preview')} columns={columns} rows={items} keyOf={keyOf} />;
}
