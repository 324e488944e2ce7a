import { X } from 'lucide-react';
import { useMemo, useState, type SyntheticEvent } from 'react';
import { ruleRoutes, type Rule } from '../../server/contract/rules.ts';
import { isProblem } from '../api/errors.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { faultsOf, sentenceOf, type FieldErrors } from '../ui/formFaults.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { rebaseForm } from '../ui/typedSince.ts';
import { ChannelTestButton } from './ChannelTestButton.tsx';
import { DeleteRule } from './DeleteRule.tsx';
import { RuleFields } from './RuleFields.tsx';
import { formOf, isChanged, ruleOf, type RuleForm } from './ruleForm.ts';
import type { RuleList } from './ruleList.ts';
import { RulePreviewDock } from './RulePreviewDock.tsx';
import { mayChangeRule } from './ruleRights.ts';

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
  const { video_before_s, video_after_s } = app.settings.getState().numbers;
  const usual = { before_s: video_before_s, after_s: video_after_s, mayOrder: app.video.mayOrder };
  const start = (from: Rule | null) => formOf(from, usual);
  const [base, setBase] = useState(rule);
  const [form, setForm] = useState(() => start(rule));
  const [faults, setFaults] = useState<FieldErrors>({});
  const [sentence, setSentence] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const mayChange = rule === null || mayChangeRule(app.user, rule);
  const read = useMemo(() => ruleOf(form), [form]);
  const next = 'rule' in read ? read.rule : null;
  const changed = base === null || next === null || isChanged(next, base);

  const showAnew = (saved: Rule, sent: RuleForm | null = null) => {
    setBase(saved);
    setForm((typed) => (sent === null ? start(saved) : rebaseForm(typed, sent, start(saved))));
    setSentence(null);
    setFaults({});
  };

  const save = async () => {
    if ('faults' in read) {
      setFaults(Object.fromEntries(read.faults.map((path) => [path, t('form.not_a_number')])));
      return;
    }
    setBusy(true);
    setSentence(null);
    setFaults({});
    try {
      if (base === null) {
        const made = await app.api.request(ruleRoutes.create, { body: read.rule });
        rules.put(made);
        onShow(made.rule_id);
      } else {
        const saved = await app.api.request(ruleRoutes.patch, {
          params: { rule_id: base.rule_id },
          // A merge patch adds to objects: what a kind or a scope no longer knows is taken out by null.
          body: { ...read.rule, ...withoutOld(read.rule, base) },
          ifMatch: base.version,
        });
        rules.put(saved);
        showAnew(saved, form);
      }
    } catch (error) {
      setFaults(byField(faultsOf(error)));
      setSentence(sentenceOf(error, t, { version_conflict: t('rules.conflict') }));
      if (isProblem(error, 'version_conflict')) rules.load();
    } finally {
      setBusy(false);
    }
  };

  const isBehind = base !== null && rule !== null && rule.version > base.version;
  return (
    <section className="pane manage__side" aria-label={t('rules.panel')} data-pane tabIndex={-1}>
      <div className="manage__side-head">
        <h2 className="fill ellipsis">{rule === null ? t('rules.new') : rule.name}</h2>
        <IconButton icon={X} size="small" label={t('ui.close')} keycap="Esc" onPress={() => onShow(null)} />
      </div>
      <div className="manage__side-body">
        {rule !== null && rule.disabled_reason !== null && (
          <p className="form-sentence rules__reason">{rule.disabled_reason}</p>
        )}
        {rule?.unapproved !== undefined && (
          <p className="form-sentence rules__reason">
            {t('rules.unapproved', { addresses: rule.unapproved.join(', ') })}
          </p>
        )}
        <form
          className="manage__section"
          onSubmit={(event: SyntheticEvent) => {
            event.preventDefault();
            void save();
          }}
        >
          {!mayChange && <p className="quiet">{t('rules.not_yours')}</p>}
          <fieldset className="rules__fields" disabled={!mayChange}>
            <RuleFields form={form} onChange={setForm} faults={faults} />
          </fieldset>
          {isBehind && sentence === null && (
            <p className="form-sentence" role="status">
              {t('rules.conflict')}
            </p>
          )}
          {sentence !== null && (
            <p className="form-sentence" role="alert">
              {sentence}
            </p>
          )}
          {mayChange && (
            <div className="manage__buttons">
              <Button kind="primary" submits disabled={busy || form.name.trim() === '' || !changed}>
                {rule === null ? t('rules.create') : t('ui.save')}
              </Button>
              {isBehind && <Button onPress={() => showAnew(rule)}>{t('rules.take_theirs')}</Button>}
            </div>
          )}
        </form>
        {rule !== null && mayChange && (
          <>
            <ChannelTestButton rule={rule} />
            <DeleteRule
              rule={rule}
              onDeleted={() => {
                rules.drop(rule.rule_id);
                onShow(null);
              }}
            />
          </>
        )}
      </div>
      <RulePreviewDock rule={next} />
    </section>
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

/** `email_to.0` and `params.alarms.1` are shown at their fields. */
function byField(faults: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(faults).map(([path, message]) => {
      const parts = path.split(/[./]/);
      return [
        parts[0] === 'params' || parts[0] === 'video' ? parts.slice(0, 2).join('.') : (parts[0] ?? path),
        message,
      ];
    }),
  );
}
