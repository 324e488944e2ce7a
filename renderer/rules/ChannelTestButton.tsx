import { useState } from 'react';
import { ruleRoutes, type ChannelTest, type Rule } from '../../server/contract/rules.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';

/** Sends a marked test through the channels of a rule as it is saved, and shows the outcome. */
export function ChannelTestButton({ rule }: { rule: Rule }) {
  const app = useAppContext();
  const t = useT();
  const [busy, setBusy] = useState(false);
  const [results, setResults] = useState<ChannelTest['results'] | null>(null);
  const [sentence, setSentence] = useState<string | null>(null);
  const test = async () => {
    setBusy(true);
    setResults(null);
    setSentence(null);
    try {
      const answer = await app.api.request(ruleRoutes.test, { params: { rule_id: rule.rule_id } });
      setResults(answer.results);
    } catch (error) {
      setSentence(sentenceOf(error, t));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="manage__section" aria-label={t('rules.test')}>
      <h3>{t('rules.test')}</h3>
      <p className="quiet">{t('rules.test_about')}</p>
      <div>
        <Button disabled={busy} onPress={() => void test()}>
          {t('rules.test_send')}
        </Button>
      </div>
      {results !== null && (
        <div role="status">
          <ul className="rules__results">
            {results.map((it) => (
              <li key={`${it.channel} ${it.target ?? ''}`}>
                <span className="strong">{t(`rules.channel.${it.channel}`)}</span>
                {it.target === null ? '' : ` ${it.target}`}:{' '}
                {it.ok ? t('rules.test_ok') : t('rules.test_failed')}{' '}
                <span className="quiet">{it.detail}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {sentence !== null && (
        <p className="form-sentence" role="alert">
          {sentence}
        </p>
      )}
    </section>
  );
}
