import { useState } from 'react';
import { ruleRoutes, type Rule } from '../../server/contract/rules.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';

/** Deletes a rule; asks once more in its own place. */
export function DeleteRule({ rule, onDeleted }: { rule: Rule; onDeleted: () => void }) {
  const desk = useDesk();
  const say = useText();
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [sentence, setSentence] = useState<string | null>(null);
  const remove = async () => {
    setBusy(true);
    try {
      await desk.api.request(ruleRoutes.remove, {
        params: { rule_id: rule.rule_id },
        ifMatch: rule.version,
      });
      onDeleted();
    } catch (error) {
      setSentence(sentenceOf(error, say, { version_conflict: say('rules.conflict') }));
      setBusy(false);
    }
  };
  return (
    <section className="manage__section" aria-label={say('rules.delete')}>
      <p className="quiet">{say('rules.delete_about')}</p>
      <div className="manage__buttons">
        {asked ? (
          <>
            <Button disabled={busy} onPress={() => void remove()}>
              {say('rules.delete_really')}
            </Button>
            <Button kind="quiet" onPress={() => setAsked(false)}>
              {say('rules.keep')}
            </Button>
          </>
        ) : (
          <Button onPress={() => setAsked(true)}>{say('rules.delete')}</Button>
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
