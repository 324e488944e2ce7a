import { useState } from 'react';
import { ruleRoutes, type Rule } from '../../server/contract/rules.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';

/** Deletes a rule; asks once more in its own place. */
export function DeleteRule({ rule, onDeleted }: { rule: Rule; onDeleted: () => void }) {
  const app = useAppContext();
  const t = useT();
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [sentence, setSentence] = useState<string | null>(null);
  const remove = async () => {
    setBusy(true);
    try {
      await app.api.request(ruleRoutes.remove, {
        params: { rule_id: rule.rule_id },
        ifMatch: rule.version,
      });
      onDeleted();
    } catch (error) {
      setSentence(sentenceOf(error, t, { version_conflict: t('rules.conflict') }));
      setBusy(false);
    }
  };
  return (
    <section className="manage__section" aria-label={t('rules.delete')}>
      <p className="quiet">{t('rules.delete_about')}</p>
      <div className="manage__buttons">
        {asked ? (
          <>
            <Button disabled={busy} onPress={() => void remove()}>
              {t('rules.delete_really')}
            </Button>
            <Button kind="quiet" onPress={() => setAsked(false)}>
              {t('rules.keep')}
            </Button>
          </>
        ) : (
          <Button onPress={() => setAsked(true)}>{t('rules.delete')}</Button>
        )}
      </div>
      {sentence !== null && (
        <p className="form-sentence" role="alert">
          {sentence}
        </p>
      )}
    </section>
  );
}
