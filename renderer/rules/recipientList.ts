import { useCallback, useEffect, useState } from 'react';
import { recipientRoutes, type Recipient } from '../../server/contract/recipients.ts';
import { fetchAllPages, PAGE_LIMIT } from '../api/allPages.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { sentenceOf } from '../ui/formFaults.ts';

export interface RecipientList {
  /** Null while they are read for the first time. */
  items: readonly Recipient[] | null;
  toReview: number;
  /** Why they could not be read. */
  sentence: string | null;
  load(): void;
}

/** Where rules may send to, for dealers alone; others have none. */
export function useRecipients(): RecipientList {
  const app = useAppContext();
  const t = useT();
  const isDealer = app.user.role === 'dealer';
  const [items, setItems] = useState<readonly Recipient[] | null>(null);
  const [sentence, setSentence] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (!isDealer) return undefined;
    const abort = new AbortController();
    fetchAllPages((cursor) =>
      app.api.request(recipientRoutes.list, {
        query: { limit: PAGE_LIMIT, cursor },
        signal: abort.signal,
      }),
    ).then(
      (read) => {
        setItems(read);
        setSentence(null);
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setSentence(sentenceOf(error, t));
      },
    );
    return () => abort.abort();
  }, [app, t, isDealer, round]);
  return {
    items,
    toReview: items?.filter((it) => it.state === 'to_review').length ?? 0,
    sentence,
    load: useCallback(() => setRound((before) => before + 1), []),
  };
}
