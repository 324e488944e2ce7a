import { useCallback, useEffect, useState } from 'react';
import { recipientRoutes, type Recipient } from '../../server/contract/recipients.ts';
import { allPages, PAGE_LIMIT } from '../api/allPages.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
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
  const desk = useDesk();
  const say = useText();
  const isDealer = desk.user.role === 'dealer';
  const [items, setItems] = useState<readonly Recipient[] | null>(null);
  const [sentence, setSentence] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (!isDealer) return undefined;
    const abort = new AbortController();
    allPages((cursor) =>
      desk.api.request(recipientRoutes.list, {
        query: { limit: PAGE_LIMIT, cursor },
        signal: abort.signal,
      }),
    ).then(
      (read) => {
        setItems(read);
        setSentence(null);
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setSentence(sentenceOf(error, say));
      },
    );
    return () => abort.abort();
  }, [desk, say, isDealer, round]);
  return {
    items,
    toReview: items?.filter((it) => it.state === 'to_review').length ?? 0,
    sentence,
    load: useCallback(() => setRound((before) => before + 1), []),
  };
}
