import { useState } from 'react';
import {
  channelPatch,
  notificationRoutes,
  type ChannelSettings,
} from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { useResourceForm } from '../resources/useResourceForm.ts';
import { Button } from '../ui/Button.tsx';
import { Form } from '../ui/Form.tsx';
import { Modal, ModalFooter } from '../ui/Modal.tsx';
import { SegmentedControl } from '../ui/Segments.tsx';
import { TextField } from '../ui/TextField.tsx';
import { Toggle } from '../ui/Toggle.tsx';
import { DepotEscalation } from './DepotEscalation.tsx';
import {
  isMailTyped,
  MAIL_FIELDS,
  MailFields,
  mailFormOf,
  smtpOf,
  useChannels,
  type MailForm,
} from './MailFields.tsx';
import { type RecipientList, RecipientsSection } from './RecipientsSection.tsx';

/**
 * How notifications leave the console: the mail server and the key that webhooks are signed with, and whom rules may
 * send to, which is shown first while there is something to review.
 */
export function ChannelsDialog({
  recipients,
  onRecipientsChanged,
  onClose,
}: {
  recipients: RecipientList;
  onRecipientsChanged: () => void;
  onClose: () => void;
}) {
  const t = useT();
  const { channels, sentence } = useChannels();
  const [part, setPart] = useState<'mail' | 'recipients' | 'escalation'>(
    recipients.toReview > 0 ? 'recipients' : 'mail',
  );
  return (
    <Modal title={t('rules.channels_title')} onClose={onClose} width={640}>
      <SegmentedControl
        label={t('rules.channels_part')}
        value={part}
        options={[
          { id: 'mail', label: t('rules.channels_mail') },
          { id: 'recipients', label: t('rules.recipients_title') },
          { id: 'escalation', label: t('escalation.depot') },
        ]}
        onChange={setPart}
      />
      {part === 'recipients' ? (
        <RecipientsSection recipients={recipients} onChanged={onRecipientsChanged} />
      ) : channels === null ? (
        <p className="quiet" role={sentence === null ? 'status' : 'alert'}>
          {sentence ?? t('rules.channels_reading')}
        </p>
      ) : part === 'escalation' ? (
        <DepotEscalation channels={channels} onClose={onClose} />
      ) : (
        <ChannelForm channels={channels} onClose={onClose} />
      )}
    </Modal>
  );
}

interface ChannelFields extends MailForm {
  hasMail: boolean;
  secret: string;
}

const channelFieldsOf = (channels: ChannelSettings | null): ChannelFields => ({
  ...mailFormOf(channels),
  hasMail: channels?.smtp != null,
  secret: '',
});

function channelPatchOf(form: ChannelFields) {
  return {
    smtp: form.hasMail ? smtpOf(form) : null,
    ...(form.secret === '' ? {} : { webhook_secret: form.secret }),
  };
}

function ChannelForm({ channels, onClose }: { channels: ChannelSettings; onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const { form, field, faults, sentence, busy, save } = useResourceForm<ChannelSettings, ChannelFields>({
    item: channels,
    formOf: channelFieldsOf,
    requestOf: (typed) => {
      const body = channelPatchOf(typed);
      return {
        schema: channelPatch,
        body,
        send: () => app.api.request(notificationRoutes.patchChannels, { body }),
      };
    },
    fields: [...MAIL_FIELDS, 'webhook_secret'],
  });
  return (
    <Form
      className="form-grid"
      faults={faults}
      onSubmit={() => void save().then((saved) => saved !== null && onClose())}
    >
      <div className="form-whole">
        <Toggle label={t('rules.mail')} on={form.hasMail} onChange={field('hasMail').onChange} />
      </div>
      {form.hasMail && <MailFields field={field} hasPassword={channels.smtp?.has_password === true} />}
      <div className="form-whole">
        <TextField
          label={t('rules.secret')}
          hint={
            <>
              {channels.webhook.has_secret ? t('rules.secret_kept') : t('rules.secret_none')}{' '}
              {channels.webhook.signature}
            </>
          }
          type="password"
          {...field('secret', 'webhook_secret')}
          autoComplete="new-password"
          maxLength={200}
        />
      </div>
      <ModalFooter sentence={sentence} onCancel={onClose}>
        <Button kind="primary" submits disabled={busy || (form.hasMail && !isMailTyped(form))}>
          {t('ui.save')}
        </Button>
      </ModalFooter>
    </Form>
  );
}
