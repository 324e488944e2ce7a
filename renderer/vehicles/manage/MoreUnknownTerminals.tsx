import { formatNumber } from '../../format/numbers.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import type { UnknownTerminals } from './useUnknownTerminals.ts';

/** Below the listed ones: how many more unknown terminals there are, and a link to them. */
export function MoreUnknownTerminals({
  unknownTerminals: { count, listed, listAll },
}: {
  unknownTerminals: UnknownTerminals;
}) {
  const t = useT();
  if (count === listed.length) return null;
  return (
    <p className="quiet unknown-terminal-more">
      {t('vehicles.unknown_terminals_more', { number: formatNumber(count - listed.length) })}
      <Button size="small" onPress={listAll}>
        {t('vehicles.unknown_terminals_all')}
      </Button>
    </p>
  );
}
