import { useCallback, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { kindsBesideTracks } from '../../server/contract/events.ts';
import { newRule, rulePatch, ruleRoutes, type ChannelTest, type Rule } from '../../server/contract/rules.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { ruleChanges } from '../notifications/WhyRule.tsx';
import { ConflictNotice } from '../resources/ConflictNotice.tsx';
import { SidePanel } from '../resources/SidePanel.tsx';
import { useAction } from '../resources/useAction.ts';
import { useResourceForm } from '../resources/useResourceForm.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import { Failure, Form } from '../ui/Form.tsx';
import { detailText } from '../ui/formFaults.ts';
import { useDepotSteps } from './DepotEscalation.tsx';
import { RULE_FIELDS, RuleFields } from './RuleFields.tsx';
import { formOf, isChanged, mayChangeRule, ruleOf } from './ruleForm.ts';
import type { RuleList } from './ruleList.ts';
import { RulePreviewDock } from './RulePreviewDock.tsx';
import { TestResults } from './TestResults.tsx';

/** Beside the list: a rule to be made (`rule` is null) or changed, and what it would have done. */
export function RulePanel({
  rule,
  rules,
  onShow,
}: {
  rule: Rule | null;
  rules: RuleList;
  /** Shows another rule, or none. */
  onShow: (ruleId: string | null) => void;
}) {
  const app = useAppContext();
  const t = useT();
  const start = useCallback(
    (from: Rule | null) => {
      const { video_before_s, video_after_s } = app.settings.getState().numbers;
      return formOf(from, {
        before_s: video_before_s,
        after_s: video_after_s,
        mayOrder: app.video.mayOrder,
      });
    },
    [app],
  );
  const keep = async (answer: Promise<Rule>) => {
    const saved = await answer;
    rules.put(saved);
    return saved;
  };
  const editing = useResourceForm({
    item: rule,
    formOf: start,
    requestOf: (form, base: Rule | null) => {
      const read = ruleOf(form);
      if ('faults' in read)
        return { faults: Object.fromEntries(read.faults.map((path) => [path, t('form.not_a_number')])) };
      if (base === null) {
        const body = read.rule;
        return { schema: newRule, body, send: () => keep(app.api.request(ruleRoutes.create, { body })) };
      }
      if (!isChanged(read.rule, base)) return null;
      // A merge patch adds to objects: what a kind or a scope no longer knows is taken out by null.
      const body = { ...read.rule, ...withoutOld(read.rule, base) };
      const params = { rule_id: base.rule_id };
      return {
        schema: rulePatch,
        body,
        send: () => keep(app.api.request(ruleRoutes.patch, { params, body, ifMatch: base.version })),
      };
    },
    fields: RULE_FIELDS,
    texts: { version_conflict: t('rules.conflict') },
    onConflict: () => rules.load(),
  });
  const { form, busy } = editing;
  const read = useMemo(() => ruleOf(form), [form]);
  const geofences = useStore(app.geofences.store, (state) => state.byId);
  const differences =
    rule === null || !('rule' in read)
      ? null
      : ruleChanges(
          rule,
          { ...rule, ...read.rule, video: read.rule.video ?? null },
          {
            t,
            geofence: (id) => geofences.get(id)?.name ?? null,
            user: (id) => app.userNames.getState().byId.get(id) ?? null,
          },
        ).map(({ label, then, now }) => ({ label, theirs: then, yours: now }));
  const mayChange = rule === null || mayChangeRule(app.user, rule);
  const maySave = mayChange && !busy && editing.isDirty && !editing.isBehind && form.name.trim() !== '';
  const save = async (overTheirs = false) => {
    const saved = await editing.save(overTheirs);
    if (rule === null && saved !== null) onShow(saved.rule_id);
  };

  return (
    <SidePanel
      label={t('rules.panel')}
      title={rule === null ? t('rules.new') : rule.name}
      onClose={() => onShow(null)}
    >
      <div className="manage__side-body">
        {editing.isBehind && rule !== null && (
          <ConflictNotice
            what={t('conflict.rule')}
            changedAt={rule.updated_at}
            {...(differences === null ? {} : { differences })}
            busy={busy}
            onTake={editing.reset}
            onOverwrite={() => void save(true)}
          />
        )}
        {rule !== null && rule.disabled_reason !== null && (
          <p className="form-sentence rules__reason">
            {detailText({ detail: rule.disabled_reason, causes: rule.disabled_causes }, t)}
          </p>
        )}
        {rule?.unapproved !== undefined && (
          <p className="form-sentence rules__reason">
            {t('rules.unapproved', { addresses: rule.unapproved.join(', ') })}
          </p>
        )}
        <Form
          className="manage__section"
          faults={editing.faults}
          hasSaveKey
          onSubmit={maySave ? () => save() : null}
        >
          {!mayChange && <p className="quiet">{t('rules.not_yours')}</p>}
          <fieldset className="rules__fields" disabled={!mayChange}>
            <RuleFields editing={editing} />
          </fieldset>
          <Failure>{editing.isBehind ? null : editing.sentence}</Failure>
          {mayChange && (
            <div className="manage__buttons">
              <Button kind="primary" submits disabled={!maySave}>
                {rule === null ? t('rules.create') : t('ui.save')}
              </Button>
            </div>
          )}
        </Form>
        {rule !== null && mayChange && (
          <>
            <ChannelTestSection rule={rule} />
            <DeleteSection
              rule={rule}
              onDeleted={() => {
                rules.drop(rule.rule_id);
                onShow(null);
              }}
            />
          </>
        )}
      </div>
      {!kindsBesideTracks.includes(editing.form.event_kind) && (
        <RulePreviewDock rule={'rule' in read ? read.rule : null} />
      )}
    </SidePanel>
  );
}

/** Nulls for the parameters and the scope of the rule as it was that the new one does not have. */
function withoutOld(next: { params: object; scope: Rule['scope'] }, base: Rule) {
  const params = Object.fromEntries(
    Object.keys(base.params)
      .filter((key) => !(key in next.params))
      .map((key) => [key, null]),
  );
  return { params: { ...next.params, ...params } };
}

/** Sends a marked test through the channels of a rule as it is saved or of a step of its escalation, and shows the outcome. */
function ChannelTestSection({ rule }: { rule: Rule }) {
  const app = useAppContext();
  const t = useT();
  const { busy, sentence, run } = useAction();
  const [results, setResults] = useState<ChannelTest['results'] | null>(null);
  const { escalation } = rule;
  const isOfDepot = escalation !== null && 'depot' in escalation;
  const ofDepot = useDepotSteps(isOfDepot);
  const steps = escalation === null ? [] : 'depot' in escalation ? (ofDepot ?? []) : escalation.steps;
  const test = (step?: number) => {
    setResults(null);
    void run(async () => {
      const { rule_id } = rule;
      const answer = await app.api.request(ruleRoutes.test, { params: { rule_id }, query: { step } });
      setResults(answer.results);
    });
  };
  return (
    <section className="manage__section" aria-label={t('rules.test')}>
      <h3>{t('rules.test')}</h3>
      <p className="quiet">{t('rules.test_about')}</p>
      <div className="manage__buttons">
        <Button disabled={busy} onPress={() => test()}>
          {t('rules.test_send')}
        </Button>
        {steps.map(({ after_min }, at) => (
          <Button key={after_min} disabled={busy} onPress={() => test(at + 1)}>
            {t('rules.test_step', { step: at + 1 })}
          </Button>
        ))}
      </div>
      {results !== null && <TestResults results={results} />}
      <Failure>{sentence}</Failure>
    </section>
  );
}

function DeleteSection({ rule, onDeleted }: { rule: Rule; onDeleted: () => void }) {
  const app = useAppContext();
  const t = useT();
  const { busy, sentence, run } = useAction();
  const remove = () =>
    run(
      async () => {
        const params = { rule_id: rule.rule_id };
        await app.api.request(ruleRoutes.remove, { params, ifMatch: rule.version });
        onDeleted();
      },
      { texts: { version_conflict: t('rules.conflict') } },
    );
  return (
    <section className="manage__section" aria-label={t('rules.delete')}>
      <p className="quiet">{t('rules.delete_about')}</p>
      <div className="manage__buttons">
        <ConfirmButton
          disabled={busy}
          confirm={t('rules.delete_really')}
          keep={t('rules.keep')}
          onConfirm={() => void remove()}
        >
          {t('rules.delete')}
        </ConfirmButton>
      </div>
      <Failure>{sentence}</Failure>
    </section>
  );
}
