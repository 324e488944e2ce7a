import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import {
  type Recipient,
  recipientKind,
  type RecipientKind,
  recipientRoutes,
} from '../../server/contract/recipients.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { Choice } from '../ui/Select.tsx';
import { Form } from '../ui/Form.tsx';
import { TimeOfDay } from '../ui/Moment.tsx';
import { TextField } from '../ui/TextField.tsx';
import { fetchAllPages, PAGE_LIMIT } from '../api/client.ts';
import { sentenceOf } from '../ui/formFaults.ts';
import './RecipientsSection.css';

/** Where rules may send mail and webhooks: what a dealer has to review first, then what is approved. */
export function RecipientsSection({
  recipients,
  onChanged,
}: {
  recipients: RecipientList;
  /** What rules may send to is another now. */
  onChanged: () => void;
}) {
  const t = useT();
  const [done, setDone] = useState<string | null>(null);
  const { items, sentence } = recipients;
  if (items === null) {
    return (
      <p className="quiet" role={sentence === null ? 'status' : 'alert'}>
        {sentence ?? t('rules.recipients_reading')}
      </p>
    );
  }
  const changed = (text: string) => {
    setDone(text);
    onChanged();
  };
  const parts = [
    { title: t('rules.recipients_to_review'), rows: items.filter((it) => it.state === 'to_review') },
    { title: t('rules.recipients_approved'), rows: items.filter((it) => it.state === 'approved') },
  ];
  return (
    <>
      <p className="quiet">{t('rules.recipients_about')}</p>
      <AddRecipient onAdded={changed} />
      {done !== null && (
        <p className="form-sentence" role="status">
          {done}
        </p>
      )}
      {items.length === 0 && <p className="quiet">{t('rules.recipients_none')}</p>}
      {parts.map(
        ({ title, rows }) =>
          rows.length > 0 && (
            <section key={title} aria-label={title}>
              <h3>{title}</h3>
              <ul className="recipients">
                {rows.map((it) => (
                  <RecipientRow key={it.recipient_id} recipient={it} onChanged={changed} />
                ))}
              </ul>
            </section>
          ),
      )}
    </>
  );
}

function RecipientRow({ recipient, onChanged }: { recipient: Recipient; onChanged: (done: string) => void }) {
  const app = useAppContext();
  const t = useT();
  const names = useStore(app.userNames, (state) => state.byId);
  const [confirming, setConfirming] = useState(false);
  const { busy, sentence, run } = useAction();
  const { recipient_id, kind, address, state, approved_by, approved_at, rules, rule_count } = recipient;
  const ruleNames =
    rule_count > 3
      ? t('rules.scope_more', {
          names: rules
            .slice(0, 2)
            .map((it) => it.name)
            .join(', '),
          count: rule_count - 2,
        })
      : rules.map((it) => it.name).join(', ');
  const act = (change: () => Promise<unknown>, done: string) =>
    run(async () => {
      await change();
      onChanged(done);
    });
  const params = { recipient_id };
  const keep = () =>
    act(
      () => app.api.request(recipientRoutes.keep, { params, body: { state: 'approved' } }),
      t('rules.recipients_kept', { address }),
    );
  const remove = () =>
    act(
      () => app.api.request(recipientRoutes.remove, { params }),
      rule_count === 0
        ? t('rules.recipients_removed', { address })
        : t('rules.recipients_removed_of', { address, rules: ruleNames }),
    );
  return (
    <li className="recipients__row">
      <div className="recipients__text">
        <p className="strong recipients__address">{address}</p>
        <p className="small quiet">
          {t(`rules.recipients_kind.${kind}`)}
          {approved_by !== null && approved_at !== null && (
            <>
              {' · '}
              {t('rules.recipients_by', { name: names.get(approved_by) ?? t('rules.owner_user') })}{' '}
              <TimeOfDay at={Date.parse(approved_at)} withDate />
            </>
          )}
          {' · '}
          {rule_count === 0 ? t('rules.recipients_unused') : t('rules.recipients_used', { rules: ruleNames })}
        </p>
        {confirming && rule_count > 0 && (
          <p className="small">{t('rules.recipients_remove_about', { rules: ruleNames })}</p>
        )}
        {sentence !== null && (
          <p className="small" role="alert">
            {sentence}
          </p>
        )}
      </div>
      {confirming ? (
        <>
          <Button size="small" disabled={busy} onPress={() => void remove()}>
            {t('rules.recipients_remove_really')}
          </Button>
          <Button size="small" kind="quiet" onPress={() => setConfirming(false)}>
            {t('ui.cancel')}
          </Button>
        </>
      ) : (
        <>
          {state === 'to_review' && (
            <Button
              size="small"
              disabled={busy}
              onPress={() => void keep()}
              label={t('rules.recipients_keep_named', { address })}
            >
              {t('rules.keep')}
            </Button>
          )}
          <Button
            size="small"
            kind="quiet"
            onPress={() => setConfirming(true)}
            label={t('rules.recipients_remove_named', { address })}
          >
            {t('rules.recipients_remove')}
          </Button>
        </>
      )}
    </li>
  );
}

function AddRecipient({ onAdded }: { onAdded: (done: string) => void }) {
  const app = useAppContext();
  const t = useT();
  const [kind, setKind] = useState<RecipientKind>('email');
  const [address, setAddress] = useState('');
  const { busy, faults, sentence, run } = useAction();
  const add = () =>
    run(
      async () => {
        const body = { kind, address: address.trim() };
        const added = await app.api.request(recipientRoutes.add, { body });
        setAddress('');
        onAdded(t('rules.recipients_kept', { address: added.address }));
      },
      { fields: ['address'] },
    );
  return (
    <Form className="recipients__add" faults={faults} onSubmit={() => void add()}>
      <Choice
        label={t('rules.recipients_kind')}
        value={kind}
        options={recipientKind.options.map((id) => ({ id, label: t(`rules.recipients_kind.${id}`) }))}
        onChange={setKind}
      />
      <TextField
        label={t('rules.recipients_address')}
        placeholder={t(`rules.recipients_example.${kind}`)}
        value={address}
        onChange={setAddress}
        fault={faults['address'] ?? sentence}
        maxLength={2_000}
      />
      <Button submits disabled={busy || address.trim() === ''}>
        {t('rules.recipients_add')}
      </Button>
    </Form>
  );
}

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
  const { sentence, run } = useAction();
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (!isDealer) return undefined;
    const abort = new AbortController();
    const read = (cursor: string | undefined) =>
      app.api.request(recipientRoutes.list, {
        query: { limit: PAGE_LIMIT, cursor },
        signal: abort.signal,
      });
    void run(async () => setItems(await fetchAllPages(read)), {
      sentence: (error) => (abort.signal.aborted ? null : sentenceOf(error, t)),
    });
    return () => abort.abort();
  }, [app, t, run, isDealer, round]);
  return {
    items,
    toReview: items?.filter((it) => it.state === 'to_review').length ?? 0,
    sentence,
    load: useCallback(() => setRound((before) => before + 1), []),
  };
}
