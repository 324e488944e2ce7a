import { Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { recipientRoutes, type RecipientSuggestions as Suggested } from '../../server/contract/recipients.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';

/** Buttons that are seen at once; any other address is typed. */
const maxShown = 8;

/** Approved addresses that are put into a rule by one press. Without a response there are none, and saving reports the error. */
export function RecipientSuggestions({
  chosen,
  onChoose,
}: {
  chosen: readonly string[];
  onChoose: (address: string) => void;
}) {
  const app = useAppContext();
  const t = useT();
  const [suggested, setSuggested] = useState<Suggested | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    app.api
      .request(recipientRoutes.suggestions, { signal: abort.signal })
      .then(setSuggested, () => setSuggested(null));
    return () => abort.abort();
  }, [app]);
  if (suggested === null) return null;
  const taken = new Set(chosen.map((it) => it.toLowerCase()));
  const left = suggested.email.filter((it) => !taken.has(it.toLowerCase())).slice(0, maxShown);
  return (
    <>
      {left.length > 0 && (
        <div className="recipient-suggestions" role="group" aria-label={t('rules.suggestions')}>
          {left.map((address) => (
            <Button key={address} size="small" kind="quiet" icon={Plus} onPress={() => onChoose(address)}>
              {address}
            </Button>
          ))}
        </div>
      )}
      {suggested.mail_domains.length > 0 && (
        <p className="small quiet">
          {t('rules.suggested_domains', { domains: suggested.mail_domains.slice(0, maxShown).join(', ') })}
        </p>
      )}
    </>
  );
}
