import { useState } from 'react';
import { z } from 'zod';
import {
  channelPatch,
  notificationRoutes,
  type ChannelSettings,
} from '../../server/contract/notifications.ts';
import { ruleRoutes, type ChannelTest, type Rule } from '../../server/contract/rules.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import type { AppContext } from '../appContext/appContext.ts';
import { useT } from '../i18n/useT.ts';
import { useResourceForm } from '../resources/useResourceForm.ts';
import {
  isMailTyped,
  MAIL_FIELDS,
  MailFields,
  mailFormOf,
  smtpOf,
  useChannels,
  type MailForm,
} from '../rules/MailFields.tsx';
import { TestResults } from '../rules/TestResults.tsx';
import { Button } from '../ui/Button.tsx';
import { Failure, Form } from '../ui/Form.tsx';
import { TextField } from '../ui/TextField.tsx';

interface Fields extends MailForm {
  address: string;
}

const fieldsOf = (channels: ChannelSettings | null): Fields => ({ ...mailFormOf(channels), address: '' });
const mailSchema = channelPatch.extend({ address: z.email() });

/** Mail at the first run: the server, who gets alarms, and a test of both. It can be left for later. */
export function MailStep({ onDone }: { onDone: (isSent: boolean) => void }) {
  const app = useAppContext();
  const t = useT();
  const { channels, setChannels, sentence: readingSentence } = useChannels();
  const [results, setResults] = useState<ChannelTest['results'] | null>(null);
  const { form, field, faults, sentence, busy, save } = useResourceForm<ChannelSettings, Fields>({
    item: channels,
    formOf: fieldsOf,
    requestOf: (typed) => {
      const smtp = smtpOf(typed);
      const address = typed.address.trim();
      return {
        schema: mailSchema,
        body: { smtp, address },
        send: async () => {
          const saved = await app.api.request(notificationRoutes.patchChannels, { body: { smtp } });
          const [first] = await sendAlarmsTo(app, address);
          if (first !== undefined) {
            const answer = await app.api.request(ruleRoutes.test, { params: { rule_id: first.rule_id } });
            setResults(answer.results.filter((it) => it.channel === 'email'));
          }
          return saved;
        },
      };
    },
    fields: [...MAIL_FIELDS, 'address'],
  });
  const isSent = results?.every((it) => it.ok) === true;
  return (
    <Form
      className="form-grid"
      faults={faults}
      onSubmit={() => {
        setResults(null);
        void save().then((saved) => saved !== null && setChannels(saved));
      }}
    >
      <p className="quiet form-whole">{t('setup.mail_about')}</p>
      <MailFields field={field} hasPassword={channels?.smtp?.has_password === true} />
      <div className="form-whole">
        <TextField
          label={t('setup.mail_address')}
          hint={t('setup.mail_address_hint')}
          {...field('address')}
          required
          maxLength={200}
        />
      </div>
      <div className="form-whole">
        <Failure>{sentence ?? readingSentence}</Failure>
        {results !== null && <TestResults results={results} />}
        <Button
          kind="primary"
          submits
          disabled={busy || channels === null || !isMailTyped(form) || form.address.trim() === ''}
        >
          {t('setup.mail_save')}
        </Button>{' '}
        <Button kind="quiet" onPress={() => onDone(isSent)}>
          {isSent ? t('setup.mail_done') : t('setup.mail_skip')}
        </Button>
      </div>
    </Form>
  );
}

/** Adds an address to the depot's own rules of severity alarm, and answers them. */
async function sendAlarmsTo({ api }: AppContext, address: string): Promise<Rule[]> {
  const { items } = await api.request(ruleRoutes.list, { query: { limit: 1_000 } });
  const alarms = items.filter((it) => it.severity === 'alarm' && it.owner_id === null && it.enabled);
  const changed: Rule[] = [];
  for (const { rule_id, version, channels, email_to } of alarms) {
    const body = {
      channels: [...new Set([...channels, 'email' as const])],
      email_to: [...new Set([...email_to, address])],
    };
    changed.push(await api.request(ruleRoutes.patch, { params: { rule_id }, body, ifMatch: version }));
  }
  return changed;
}
