import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { Rule } from '../../server/contract/rules.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import type { Column } from '../ui/DataTable.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';

const RANK: Record<Rule['severity'], number> = { alarm: 0, warning: 1, info: 2 };

export function useRuleColumns(): readonly Column<Rule>[] {
  const desk = useDesk();
  const say = useText();
  const vehicles = useStore(desk.vehicles.store, (state) => state.byId);
  const groups = useStore(desk.groups.store, (state) => state.byId);
  const fences = useStore(desk.geofences.store, (state) => state.byId);
  const names = useStore(desk.userNames, (state) => state.byId);
  return useMemo(() => {
    const scopeText = ({ scope }: Rule): string => {
      if ('all' in scope) return say('rules.scope_all');
      const named = [
        ...scope.group_ids.map((id) => groups.get(id)?.name ?? say('rules.unseen_group')),
        ...scope.vehicle_ids.map((id) => vehicles.get(id)?.name ?? say('vehicle.gone')),
      ];
      return named.length > 3
        ? say('rules.scope_more', { names: named.slice(0, 2).join(', '), count: named.length - 2 })
        : named.join(', ');
    };
    return [
      {
        id: 'severity',
        head: say('rules.severity'),
        value: (it) => RANK[it.severity],
        cell: (it) => (
          <span className="rules__severity">
            <SeverityMark severity={it.severity} /> {say(`severity.${it.severity}`)}
          </span>
        ),
        width: '96px',
      },
      {
        id: 'name',
        head: say('rules.name'),
        value: (it) => it.name,
        cell: (it) => <span className="strong ellipsis">{it.name}</span>,
        width: 'minmax(140px, 1.5fr)',
      },
      {
        id: 'kind',
        head: say('rules.kind'),
        value: (it) => say(`alarm.${it.event_kind}`),
        width: 'minmax(120px, 1fr)',
      },
      { id: 'scope', head: say('rules.scope'), value: scopeText, width: 'minmax(120px, 1.5fr)' },
      {
        id: 'fences',
        head: say('rules.geofences'),
        value: (it) =>
          it.geozone_ids.map((id) => fences.get(id)?.name ?? say('place.unknown_geofence')).join(', '),
        width: 'minmax(96px, 1fr)',
      },
      {
        id: 'channels',
        head: say('rules.channels'),
        value: (it) =>
          [
            ...it.channels.map((one) => say(`rules.channel.${one}`)),
            ...(it.unapproved === undefined ? [] : [say('rules.unapproved_short')]),
          ].join(', '),
        width: 'minmax(96px, 1fr)',
      },
      {
        id: 'owner',
        head: say('rules.owner'),
        value: (it) =>
          it.owner_id === null
            ? say('rules.owner_depot')
            : (names.get(it.owner_id) ?? say('rules.owner_user')),
        width: '104px',
      },
      {
        id: 'enabled',
        head: say('rules.state'),
        value: (it) => (it.enabled ? say('rules.on') : say('rules.off')),
        cell: (it) => (
          <span title={it.disabled_reason ?? undefined}>
            {it.enabled ? say('rules.on') : say('rules.off')}
          </span>
        ),
        width: '64px',
      },
    ];
  }, [say, vehicles, groups, fences, names]);
}
