import { BellPlus, BellRing, Mail } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { kindsOfHost } from '../../server/contract/events.ts';
import type { Rule } from '../../server/contract/rules.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { openRowMenu } from '../commands/contextMenus.ts';
import { useT } from '../i18n/useT.ts';
import { ResourceList, ResourceScreen } from '../resources/ResourceScreen.tsx';
import { ChannelsDialog } from '../rules/ChannelsDialog.tsx';
import { useRecipients } from '../rules/RecipientsSection.tsx';
import { createRuleList } from '../rules/ruleList.ts';
import { RulePanel } from '../rules/RulePanel.tsx';
import { mayWrite, NEW } from '../navigation/navigation.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Pane } from '../ui/Pane.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import { ruleSearch } from '../search/searches.ts';
import './RulesScreen.css';

const SKELETON = [[16, 140, 90, 90, 120, 60, 40]];
const keyOf = (rule: Rule) => rule.rule_id;

/** What makes an alarm of an event: each rule with what it would have done. */
export function RulesScreen() {
  const app = useAppContext();
  const t = useT();
  const [rules] = useState(() => createRuleList(app));
  useEffect(() => rules.start(), [rules]);
  const { byId, load } = useStore(rules.store);
  const [typed, setTyped] = useState('');
  const id = useStore(app.navigation.store, ({ query }) => query['id'] ?? null);
  const columns = useRuleColumns(id !== null);
  const rows = useMemo(() => ruleSearch.filter(byId, typed), [byId, typed]);
  const [hasChannels, setHasChannels] = useState(false);
  const recipients = useRecipients();
  const show = (ruleId: string | null) => app.navigation.note({ id: ruleId });
  const selected = id === null || id === NEW ? null : (byId.get(id) ?? null);
  const mayMake = mayWrite(app.user, 'notifications');
  const add = mayMake && (
    <Button kind="primary" icon={BellPlus} onPress={() => show(NEW)}>
      {t('rules.add')}
    </Button>
  );
  return (
    <ResourceScreen
      onClose={() => show(null)}
      side={
        id !== null &&
        (selected !== null || (id === NEW && mayMake)) && (
          <RulePanel key={id} rule={selected} rules={rules} onShow={show} />
        )
      }
    >
      <Pane
        name={t('rail.rules')}
        className="manage__main"
        head={
          <>
            <h2 className="manage__title">{t('rules.title', { count: byId.size })}</h2>
            <span className="fill" />
            {recipients.toReview > 0 && (
              <span className="rules__review">
                {t('rules.recipients_review', { count: recipients.toReview })}
              </span>
            )}
            {app.user.role === 'dealer' && (
              <Button
                icon={Mail}
                onPress={() => {
                  // A rule that was saved meanwhile may have approved something.
                  recipients.load();
                  setHasChannels(true);
                }}
              >
                {t('rules.channels_open')}
              </Button>
            )}
            {add}
          </>
        }
      >
        <ResourceList
          name={t('rail.rules')}
          columns={columns}
          rows={rows}
          total={byId.size}
          keyOf={keyOf}
          load={load}
          onRetry={() => rules.retry()}
          selectedKey={selected?.rule_id ?? null}
          onSelect={(rule) => show(rule.rule_id)}
          onMenu={({ rule_id: id, name }, at) => openRowMenu(app, 'rule', { id, name }, at)}
          typed={typed}
          onType={setTyped}
          texts={{
            search: t('rules.find'),
            placeholder: t('rules.find'),
            loading: t('rules.reading'),
            failed: t('rules.failed'),
            failedStill: t('rules.failed_still'),
            stale: t('rules.stale'),
          }}
          skeleton={SKELETON}
          empty={
            <Notice icon={BellRing} title={t('rules.empty')} actions={add}>
              {t('rules.empty_how')}
            </Notice>
          }
          noMatch={{
            title: t('rules.none_found', { typed }),
            back: t('rules.show_all'),
            onBack: () => setTyped(''),
          }}
        />
      </Pane>
      {hasChannels && (
        <ChannelsDialog
          recipients={recipients}
          onRecipientsChanged={() => {
            recipients.load();
            rules.load();
          }}
          onClose={() => setHasChannels(false)}
        />
      )}
    </ResourceScreen>
  );
}

const RANK: Record<Rule['severity'], number> = { alarm: 0, warning: 1, info: 2 };

/** The columns of the table; `narrow` leaves out those that can be read in the panel. */
function useRuleColumns(narrow: boolean): readonly Column<Rule>[] {
  const app = useAppContext();
  const t = useT();
  const vehicles = useStore(app.vehicles.store, (state) => state.byId);
  const groups = useStore(app.groups.store, (state) => state.byId);
  const geofences = useStore(app.geofences.store, (state) => state.byId);
  const names = useStore(app.userNames, (state) => state.byId);
  return useMemo(() => {
    const formatScope = ({ scope, event_kind }: Rule): string => {
      if (kindsOfHost.includes(event_kind)) return t('rules.scope_host');
      if ('all' in scope) return t('rules.scope_all');
      const named = [
        ...scope.group_ids.map((id) => groups.get(id)?.name ?? t('rules.unseen_group')),
        ...scope.vehicle_ids.map((id) => vehicles.get(id)?.name ?? t('vehicle.gone')),
      ];
      return named.length > 3
        ? t('rules.scope_more', { names: named.slice(0, 2).join(', '), count: named.length - 2 })
        : named.join(', ');
    };
    const all: Column<Rule>[] = [
      {
        id: 'severity',
        head: t('rules.severity'),
        value: (it) => RANK[it.severity],
        cell: (it) => (
          <span className="rules__severity">
            <SeverityMark severity={it.severity} /> {t(`severity.${it.severity}`)}
          </span>
        ),
        width: '136px',
      },
      {
        id: 'name',
        head: t('rules.name'),
        value: (it) => it.name,
        cell: (it) => <span className="strong ellipsis">{it.name}</span>,
        width: 'minmax(128px, 1.5fr)',
      },
      {
        id: 'kind',
        head: t('rules.kind'),
        value: (it) => t(`alarm.${it.event_kind}`),
        width: 'minmax(160px, 1fr)',
      },
      { id: 'scope', head: t('rules.scope'), value: formatScope, width: 'minmax(136px, 1.5fr)' },
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
        width: 'minmax(168px, 1fr)',
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
    return narrow ? all.filter(({ id }) => id !== 'fences' && id !== 'owner') : all;
  }, [t, vehicles, groups, geofences, names, narrow]);
}
