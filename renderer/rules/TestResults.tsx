import type { ChannelTest } from '../../server/contract/rules.ts';
import { detailText } from '../ui/formFaults.ts';
import { useT } from '../i18n/useT.ts';
import './TestResults.css';

/** What became of a test, for each channel and recipient. */
export function TestResults({ results }: { results: ChannelTest['results'] }) {
  const t = useT();
  return (
    <div role="status">
      <ul className="rules__results">
        {results.map((it) => (
          <li key={`${it.channel} ${it.target ?? ''}`}>
            <span className="strong">{t(`rules.channel.${it.channel}`)}</span>
            {it.target === null ? '' : ` ${it.target}`}: {it.ok ? t('rules.test_ok') : t('rules.test_failed')}{' '}
            <span className="quiet">{detailText(it, t)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
