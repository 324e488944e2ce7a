import { useState, type SyntheticEvent } from 'react';
import { useStore } from 'zustand';
import {
  recipientKind,
  recipientRoutes,
  type Recipient,
  type RecipientKind,
} from '../../server/contract/recipients.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { Choice } from '../ui/Choice.tsx';
import { faultsOf, sentenceOf, type Faults } from '../ui/formFaults.ts';
import { TimeOfDay } from '../ui/Moment.tsx';
import { TextField } from '../ui/TextField.tsx';
import type { RecipientList } from './recipientList.ts';
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
  const say = useText();
  const [done, setDone] = useState<string | null>(null);
  const { items, sentence } = recipients;
  if (items === null) {
    return (
      <p className="quiet" role={sentence === null ? 'status' : 'alert'}>
        {sentence ?? say('rules.recipients_reading')}
      </p>
    );
  }
  const changed = (text: string) => {
    setDone(text);
    onChanged();
  };
  const parts = [
    { title: say('rules.recipients_to_review'), rows: items.filter((it) => it.state === 'to_review') },
    { title: say('rules.recipients_approved'), rows: items.filter((it) => it.state === 'approved') },
  ];
  return (
    <>
      <p className="quiet">{say('rules.recipients_about')}</p>
      <AddRecipient onAdded={changed} />
      {done !== null && (
        <p className="form-sentence" role="status">
          {done}
        </p>
      )}
      {items.length === 0 && <p className="quiet">{say('rules.recipients_none')}</p>}
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
  const desk = useDesk();
  const say = useText();
  const names = useStore(desk.userNames, (state) => state.byId);
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [sentence, setSentence] = useState<string | null>(null);
  const { recipient_id, kind, address, state, approved_by, approved_at, rules, rule_count } = recipient;
  const ruleNames =
    rule_count > 3
      ? say('rules.scope_more', {
          names: rules
            .slice(0, 2)
            .map((it) => it.name)
            .join(', '),
          count: rule_count - 2,
        })
      : rules.map((it) => it.name).join(', ');
  const act = async (change: () => Promise<unknown>, done: string) => {
    setBusy(true);
    setSentence(null);
    try {
      await change();
      onChanged(done);
    } catch (error) {
      setSentence(sentenceOf(error, say));
      setBusy(false);
    }
  };
  const params = { recipient_id };
  const keep = () =>
    act(
      () => desk.api.request(recipientRoutes.keep, { params, body: { state: 'approved' } }),
      say('rules.recipients_kept', { address }),
    );
  const remove = () =>
    act(
      () => desk.api.request(recipientRoutes.remove, { params }),
      rule_count === 0
        ? say('rules.recipients_removed', { address })
        : say('rules.recipients_removed_of', { address, rules: ruleNames }),
    );
  return (
    <li className="recipients__row">
      <div className="recipients__text">
        <p className="strong recipients__address">{address}</p>
        <p className="small quiet">
          {say(`rules.recipients_kind.${kind}`)}
          {approved_by !== null && approved_at !== null && (
            <>
              {' · '}
              {say('rules.recipients_by', { name: names.get(approved_by) ?? say('rules.owner_user') })}{' '}
              <TimeOfDay at={Date.parse(approved_at)} withDate />
            </>
          )}
          {' · '}
          {rule_count === 0
            ? say('rules.recipients_unused')
            : say('rules.recipients_used', { rules: ruleNames })}
        </p>
        {asked && rule_count > 0 && (
          <p className="small">{say('rules.recipients_remove_about', { rules: ruleNames })}</p>
        )}
        {sentence !== null && (
          <p className="small" role="alert">
            {sentence}
          </p>
        )}
      </div>
      {asked ? (
        <>
          <Button size="small" disabled={busy} onPress={() => void remove()}>
            {say('rules.recipients_remove_really')}
          </Button>
          <Button size="small" kind="quiet" onPress={() => setAsked(false)}>
            {say('ui.cancel')}
          </Button>
        </>
      ) : (
        <>
          {state === 'to_review' && (
            <Button
              size="small"
              disabled={busy}
              onPress={() => void keep()}
              label={say('rules.recipients_keep_named', { address })}
            >
              {say('rules.keep')}
            </Button>
          )}
          <Button
            size="small"
            kind="quiet"
            onPress={() => setAsked(true)}
            label={say('rules.recipients_remove_named', { address })}
          >
            {say('rules.recipients_remove')}
          </Button>
        </>
      )}
    </li>
  );
}

function AddRecipient({ onAdded }: { onAdded: (done: string) => void }) {
  const desk = useDesk();
  const say = useText();
  const [kind, setKind] = useState<RecipientKind>('email');
  const [address, setAddress] = useState('');
  const [busy, setBusy] = useState(false);
  const [faults, setFaults] = useState<Faults>({});
  const [sentence, setSentence] = useState<string | null>(null);
  const add = async () => {
    setBusy(true);
    setFaults({});
    setSentence(null);
    try {
      const added = await desk.api.request(recipientRoutes.add, { body: { kind, address: address.trim() } });
      setAddress('');
      onAdded(say('rules.recipients_kept', { address: added.address }));
    } catch (error) {
      const found = faultsOf(error);
      setFaults(found);
      if (found['address'] === undefined) setSentence(sentenceOf(error, say));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="recipients__add"
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        void add();
      }}
    >
      <Choice
        label={say('rules.recipients_kind')}
        value={kind}
        options={recipientKind.options.map((id) => ({ id, label: say(`rules.recipients_kind.${id}`) }))}
        onChange={setKind}
      />
      <TextField
        label={say('rules.recipients_address')}
        placeholder={say(`rules.recipients_example.${kind}`)}
        value={address}
        onChange={setAddress}
        fault={faults['address'] ?? sentence}
        maxLength={2_000}
      />
      <Button submits disabled={busy || address.trim() === ''}>
        {say('rules.recipients_add')}
      </Button>
    </form>
  );
}
