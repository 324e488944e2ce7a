import { useEffect, useState, type SyntheticEvent } from 'react';
import { notificationRoutes, type ChannelSettings } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { faultsOf, sentenceOf, type FieldErrors } from '../ui/formFaults.ts';
import { Modal } from '../ui/Modal.tsx';
import { ModalFooter } from '../ui/ModalFooter.tsx';
import { SegmentedControl } from '../ui/Segments.tsx';
import { TextField } from '../ui/TextField.tsx';
import { Toggle } from '../ui/Toggle.tsx';
import type { RecipientList } from './recipientList.ts';
import { RecipientsSection } from './RecipientsSection.tsx';

type Smtp = NonNullable<ChannelSettings['smtp']>;
const SECURITIES: readonly Smtp['security'][] = ['starttls', 'tls', 'none'];

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
  const app = useAppContext();
  const t = useT();
  const [channels, setChannels] = useState<ChannelSettings | null>(null);
  const [sentence, setSentence] = useState<string | null>(null);
  const [part, setPart] = useState<'mail' | 'recipients'>(recipients.toReview > 0 ? 'recipients' : 'mail');
  useEffect(() => {
    const abort = new AbortController();
    app.api
      .request(notificationRoutes.channels, { signal: abort.signal })
      .then(setChannels, (error: unknown) => {
        if (!abort.signal.aborted) setSentence(sentenceOf(error, t));
      });
    return () => abort.abort();
  }, [app, t]);
  return (
    <Modal title={t('rules.channels_title')} onClose={onClose} width={640}>
      <SegmentedControl
        label={t('rules.channels_part')}
        value={part}
        options={[
          { id: 'mail', label: t('rules.channels_mail') },
          { id: 'recipients', label: t('rules.recipients_title') },
        ]}
        onChange={setPart}
      />
      {part === 'recipients' ? (
        <RecipientsSection recipients={recipients} onChanged={onRecipientsChanged} />
      ) : channels === null ? (
        <p className="quiet" role={sentence === null ? 'status' : 'alert'}>
          {sentence ?? t('rules.channels_reading')}
        </p>
      ) : (
        <ChannelForm channels={channels} onClose={onClose} />
      )}
    </Modal>
  );
}

function ChannelForm({ channels, onClose }: { channels: ChannelSettings; onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const { smtp } = channels;
  const [hasMail, setHasMail] = useState(smtp !== null);
  const [host, setHost] = useState(smtp?.host ?? '');
  const [port, setPort] = useState(String(smtp?.port ?? 587));
  const [security, setSecurity] = useState<Smtp['security']>(smtp?.security ?? 'starttls');
  const [username, setUsername] = useState(smtp?.username ?? '');
  const [password, setPassword] = useState('');
  const [from, setFrom] = useState(smtp?.from ?? '');
  const [secret, setSecret] = useState('');
  const [busy, setBusy] = useState(false);
  const [faults, setFaults] = useState<FieldErrors>({});
  const [sentence, setSentence] = useState<string | null>(null);

  const save = async () => {
    setBusy(true);
    setFaults({});
    setSentence(null);
    try {
      await app.api.request(notificationRoutes.patchChannels, {
        body: {
          smtp: hasMail
            ? {
                host: host.trim(),
                port: Number(port),
                security,
                username: username.trim() === '' ? null : username.trim(),
                from: from.trim(),
                ...(password === '' ? {} : { password }),
              }
            : null,
          ...(secret === '' ? {} : { webhook_secret: secret }),
        },
      });
      onClose();
    } catch (error) {
      setFaults(faultsOf(error));
      setSentence(sentenceOf(error, t));
      setBusy(false);
    }
  };

  return (
    <form
      className="form-grid"
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className="form-whole">
        <Toggle label={t('rules.mail')} on={hasMail} onChange={setHasMail} />
      </div>
      {hasMail && (
        <>
          <TextField
            label={t('rules.mail_host')}
            value={host}
            onChange={setHost}
            fault={faults['smtp.host'] ?? null}
            required
            maxLength={253}
          />
          <TextField
            label={t('rules.mail_port')}
            numeric
            value={port}
            onChange={setPort}
            fault={faults['smtp.port'] ?? null}
            maxLength={5}
          />
          <div className="form-field form-whole">
            <span className="field__label">{t('rules.mail_security')}</span>
            <SegmentedControl
              label={t('rules.mail_security')}
              value={security}
              options={SECURITIES.map((id) => ({ id, label: t(`rules.security.${id}`) }))}
              onChange={setSecurity}
            />
          </div>
          <TextField
            label={t('rules.mail_user')}
            value={username}
            onChange={setUsername}
            fault={faults['smtp.username'] ?? null}
            maxLength={200}
          />
          <TextField
            label={t('login.password')}
            {...(smtp?.has_password === true ? { hint: t('rules.secret_kept') } : {})}
            type="password"
            value={password}
            onChange={setPassword}
            fault={faults['smtp.password'] ?? null}
            autoComplete="new-password"
            maxLength={1_000}
          />
          <div className="form-whole">
            <TextField
              label={t('rules.mail_from')}
              value={from}
              onChange={setFrom}
              fault={faults['smtp.from'] ?? null}
              required
              maxLength={200}
            />
          </div>
        </>
      )}
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
          value={secret}
          onChange={setSecret}
          fault={faults['webhook_secret'] ?? null}
          autoComplete="new-password"
          maxLength={200}
        />
      </div>
      <ModalFooter sentence={sentence} onCancel={onClose}>
        <Button
          kind="primary"
          submits
          disabled={busy || (hasMail && (host.trim() === '' || from.trim() === ''))}
        >
          {t('ui.save')}
        </Button>
      </ModalFooter>
    </form>
  );
}
