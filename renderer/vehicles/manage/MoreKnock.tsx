import { numberText } from '../../format/numbers.ts';
import { useText } from '../../i18n/useText.ts';
import { Button } from '../../ui/Button.tsx';
import type { Knocking } from './useKnocking.ts';

/** Below those that are listed: how many more knock, and the way to see them. */
export function MoreKnock({ knocking: { count, listed, listAll } }: { knocking: Knocking }) {
  const say = useText();
  if (count === listed.length) return null;
  return (
    <p className="quiet knock-more">
      {say('vehicles.knocking_more', { number: numberText(count - listed.length) })}
      <Button size="small" onPress={listAll}>
        {say('vehicles.knocking_all')}
      </Button>
    </p>
  );
}
