import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { Rule } from '../../server/contract/rules.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import type { Column } from '../ui/DataTable.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';

const RANK: Record<Rule['severity'], number> = { alarm: 0, warning: 1, info: 2 };

export function useRuleColumns(): readonly Column<Rule>[] {
  const app = useAppContext();
  const t = useT();
  const vehicles = useStore(app.vehicles.store, (state) => state.byId);
  const groups = useStore(app.groups.store, (state) => state.byId);
  const geofences = useStore(app.geofences.store, (state) => state.byId);
  const names = useStore(app.userNames, (state) => state.byId);
  return useMemo(() => {
    const scopeText = ({ scope }: Rule): string => {
      if ('all' in scope) return t('rules.scope_all');
      const named = [
        ...scope.group_ids.map((id) => groups.get(id)?.name ?? t('rules.unseen_group')),
        ...scope.vehicle_ids.map((id) => vehicles.get(id)?.name ?? t('vehicle.gone')),
      ];
      return named.length > 3
        ? t('rules.scope_more', { names: named.slice(0, 2).join(', '), count: named.length - 2 })
        : named.join(', ');
    };
    return [
      {
        id: 'severity',
        head: t('rules.severity'),
        value: (it) => RANK[it.severity],
        cell: (it) => (
          <span className="rules__severity">
            <SeverityMark severity={it.severity} /> {t(`severity.${it.severity}`)}
          </span>
        ),
        width: '96px',
      },
      {
        id: 'name',
        head: t('rules.name'),
        value: (it) => it.name,
        cell: (it) => <span className="strong ellipsis">{it.name}</span>,
        width: 'minmax(140px, 1.5fr)',
      },
      {
        id: 'kind',
        head: t('rules.kind'),
        value: (it) => t(`alarm.${it.event_kind}`),
        width: 'minmax(120px, 1fr)',
      },
      { id: 'scope', head: t('rules.scope'), value: scopeText, width: 'minmax(120px, 1.5fr)' },
      {
        id: 'fences',
        head: t('rules.geofences'),
        value: (it) =>
          it.geozone_ids.map((id) => geofences.get(id)?.name ?? t('place.unknown_geofence')).join(', '),
        width: 'minmax(96px, 1fr)',
      },
      {
        id: 'channels',
        head: t('rules.channels'),
        value: (it) =>
          [
            ...it.channels.map((one) => t(`rules.channel.${one}`)),
            ...(it.unapproved === undefined ? [] : [t('rules.unapproved_short')]),
          ].join(', '),
        width: 'minmax(96px, 1fr)',
      },
      {
        id: 'owner',
        head: t('rules.owner'),
        value: (it) =>
          it.owner_id === null ? t('rules.owner_depot') : (names.get(it.owner_id) ?? t('rules.owner_user')),
        width: '104px',
      },
      {
        id: 'enabled',
        head: t('rules.state'),
        value: (it) => (it.enabled ? t('rules.on') : t('rules.off')),
        cell: (it) => (
          <span title={it.disabled_reason ?? undefined}>{it.enabled ? t('rules.on') : t('rules.off')}</span>
        ),
        width: '64px',
      },
    ];
  }, [t, vehicles, groups, geofences, names]);
}
