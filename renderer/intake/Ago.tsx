import { useNow } from '../appContext/useMoment.ts';
import { shortAgeText } from '../format/age.ts';
import { useT } from '../i18n/useT.ts';

/** How long ago something was, in one unit and said as such, counting on. */
export function Ago({ since }: { since: number }) {
  const t = useT();
  const now = useNow();
  return <span>{t('intake.ago', { age: shortAgeText(now - since) })}</span>;
}
