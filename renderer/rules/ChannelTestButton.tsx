import { useState } from 'react';
import { ruleRoutes, type ChannelTest, type Rule } from '../../server/contract/rules.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';

/** Sends a marked test through the channels of a rule as it is saved, and tells what became of it. */
export function ChannelTestButton({ rule }: { rule: Rule }) {
  const desk = useDesk();
  const say = useText();
  const [busy, setBusy] = useState(false);
  const [results, setResults] = useState<ChannelTest['results'] | null>(null);
  const [sentence, setSentence] = useState<string | null>(null);
  const test = async () => {
    setBusy(true);
    setResults(null);
    setSentence(null);
    try {
      const answer = await desk.api.request(ruleRoutes.test, { params: { rule_id: rule.rule_id } });
      setResults(answer.results);
    } catch (error) {
      setSentence(sentenceOf(error, say));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="manage__section" aria-label={say('rules.test')}>
      <h3>{say('rules.test')}</h3>
      <p className="quiet">{say('rules.test_about')}</p>
      <div>
        <Button disabled={busy} onPress={() => void test()}>
          {say('rules.test_send')}
        </Button>
      </div>
      {results !== null && (
        <div role="status">
          <ul className="rules__results">
            {results.map((it) => (
              <li key={`${it.channel} ${it.target ?? ''}`}>
                <span className="strong">{say(`rules.channel.${it.channel}`)}</span>
                {it.target === null ? '' : ` ${it.target}`}:{' '}
                {it.ok ? say('rules.test_ok') : say('rules.test_failed')}{' '}
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
