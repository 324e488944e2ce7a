import { useNow } from '../desk/useMoment.ts';
import { shortAgeText } from '../format/age.ts';
import { useText } from '../i18n/useText.ts';

/** How long ago something was, in one unit and said as such, counting on. */
export function Ago({ since }: { since: number }) {
  const say = useText();
  const now = useNow();
  return <span>{say('intake.ago', { age: shortAgeText(now - since) })}</span>;
}
