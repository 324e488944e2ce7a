import { BellPlus, BellRing, Mail } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Rule } from '../../server/contract/rules.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { ChannelsDialog } from '../rules/ChannelsDialog.tsx';
import { useRecipients } from '../rules/recipientList.ts';
import { createRuleList, type RuleList } from '../rules/ruleList.ts';
import { RulePanel } from '../rules/RulePanel.tsx';
import { mayMakeRules } from '../rules/ruleRights.ts';
import { useRuleColumns } from '../rules/ruleColumns.tsx';
import { Button } from '../ui/Button.tsx';
import { DataTable } from '../ui/DataTable.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Pane } from '../ui/Pane.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { TextField } from '../ui/TextField.tsx';
import '../ui/manage.css';
import './RulesScreen.css';

const NEW = 'new';
const keyOf = (rule: Rule) => rule.rule_id;

/** What makes an alarm of an event: each rule with what it would have done. */
export function RulesScreen() {
  const app = useAppContext();
  const t = useT();
  const [rules] = useState(() => createRuleList(app));
  useEffect(() => rules.start(), [rules]);
  const byId = useStore(rules.store, (state) => state.byId);
  const id = useStore(app.navigation.store, ({ query }) => query['id'] ?? null);
  const [hasChannels, setHasChannels] = useState(false);
  const recipients = useRecipients();
  const show = (ruleId: string | null) => app.navigation.note({ id: ruleId });
  const shown = id === null || id === NEW ? null : (byId.get(id) ?? null);
  const mayMake = mayMakeRules(app.user);
  return (
    <div
      className="manage"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented && id !== null) show(null);
      }}
    >
      <Pane
        name={t('rail.rules')}
        className="manage__main"
        head={
          <>
            <h2 className="rules__title">{t('rules.title', { count: byId.size })}</h2>
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
            {mayMake && (
              <Button kind="primary" icon={BellPlus} onPress={() => show(NEW)}>
                {t('rules.add')}
              </Button>
            )}
          </>
        }
      >
        <StaleBanner>{t('rules.stale')}</StaleBanner>
        <RuleTable rules={rules} selectedId={shown?.rule_id ?? null} onShow={show} mayMake={mayMake} />
      </Pane>
      {id === NEW && mayMake && <RulePanel key={NEW} rule={null} rules={rules} onShow={show} />}
      {shown !== null && <RulePanel key={shown.rule_id} rule={shown} rules={rules} onShow={show} />}
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
    </div>
  );
}

function RuleTable({
  rules,
  selectedId,
  onShow,
  mayMake,
}: {
  rules: RuleList;
  selectedId: string | null;
  onShow: (ruleId: string | null) => void;
  mayMake: boolean;
}) {
  const t = useT();
  const { byId, load } = useStore(rules.store);
  const [typed, setTyped] = useState('');
  const columns = useRuleColumns();
  const rows = useMemo(() => {
    const sought = typed.trim().toLocaleLowerCase();
    return [...byId.values()].filter((rule) => rule.name.toLocaleLowerCase().includes(sought));
  }, [byId, typed]);
  if (byId.size === 0 && load.phase === 'loading') {
    return (
      <SkeletonRows
        className="manage__skeleton"
        widths={[[16, 140, 90, 90, 120, 60, 40]]}
        rows={6}
        label={t('rules.reading')}
      />
    );
  }
  if (byId.size === 0 && load.phase === 'failed') {
    return (
      <LoadFailure
        title={t('rules.failed')}
        stillWorks={t('rules.failed_still')}
        error={load.error}
        nextTryAt={load.nextTryAt}
        onRetry={() => rules.retry()}
      />
    );
  }
  if (byId.size === 0) {
    return (
      <Notice
        icon={BellRing}
        title={t('rules.empty')}
        actions={
          mayMake && (
            <Button kind="primary" icon={BellPlus} onPress={() => onShow(NEW)}>
              {t('rules.add')}
            </Button>
          )
        }
      >
        {t('rules.empty_how')}
      </Notice>
    );
  }
  return (
    <>
      <div className="manage__tools">
        <div className="manage__search">
          <TextField
            label={t('rules.find')}
            hiddenLabel
            type="search"
            placeholder={t('rules.find')}
            value={typed}
            onChange={setTyped}
          />
        </div>
      </div>
      {rows.length === 0 ? (
        <Notice
          icon={BellRing}
          title={t('rules.none_found', { typed })}
          actions={<Button onPress={() => setTyped('')}>{t('rules.show_all')}</Button>}
        />
      ) : (
        <DataTable
          name={t('rail.rules')}
          columns={columns}
          rows={rows}
          keyOf={keyOf}
          selectedKey={selectedId}
          onSelect={(rule) => onShow(rule.rule_id)}
          initialSort={{ id: 'name', desc: false }}
        />
      )}
    </>
  );
}
