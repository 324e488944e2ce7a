import { BellPlus, BellRing, Mail } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Rule } from '../../server/contract/rules.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { NEW, ResourceList, ResourceScreen } from '../resources/ResourceScreen.tsx';
import { ChannelsDialog } from '../rules/ChannelsDialog.tsx';
import { useRecipients } from '../rules/recipientList.ts';
import { createRuleList } from '../rules/ruleList.ts';
import { RulePanel } from '../rules/RulePanel.tsx';
import { mayMakeRules } from '../rules/ruleRights.ts';
import { useRuleColumns } from '../rules/ruleColumns.tsx';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Pane } from '../ui/Pane.tsx';
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
  const columns = useRuleColumns();
  const rows = useMemo(() => {
    const sought = typed.trim().toLocaleLowerCase();
    return [...byId.values()].filter((rule) => rule.name.toLocaleLowerCase().includes(sought));
  }, [byId, typed]);
  const id = useStore(app.navigation.store, ({ query }) => query['id'] ?? null);
  const [hasChannels, setHasChannels] = useState(false);
  const recipients = useRecipients();
  const show = (ruleId: string | null) => app.navigation.note({ id: ruleId });
  const shown = id === null || id === NEW ? null : (byId.get(id) ?? null);
  const mayMake = mayMakeRules(app.user);
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
        (shown !== null || (id === NEW && mayMake)) && (
          <RulePanel key={id} rule={shown} rules={rules} onShow={show} />
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
          selectedKey={shown?.rule_id ?? null}
          onSelect={(rule) => show(rule.rule_id)}
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
