import { useEffect, useState } from 'react';
import { notificationRoutes, type ChannelSettings } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import type { ResourceForm } from '../resources/useResourceForm.ts';
import { SegmentedControl } from '../ui/Segments.tsx';
import { TextField } from '../ui/TextField.tsx';

type Smtp = NonNullable<ChannelSettings['smtp']>;

/** The mail server as it is typed. */
export interface MailForm {
  host: string;
  port: string;
  security: Smtp['security'];
  username: string;
  password: string;
  from: string;
}

/** The fields that show what is wrong with them. */
export const MAIL_FIELDS = ['smtp.host', 'smtp.port', 'smtp.username', 'smtp.password', 'smtp.from'];
const SECURITIES: readonly Smtp['security'][] = ['starttls', 'tls', 'none'];

export const mailFormOf = (channels: ChannelSettings | null): MailForm => ({
  host: channels?.smtp?.host ?? '',
  port: String(channels?.smtp?.port ?? 587),
  security: channels?.smtp?.security ?? 'starttls',
  username: channels?.smtp?.username ?? '',
  password: '',
  from: channels?.smtp?.from ?? '',
});

export function smtpOf(form: MailForm) {
  return {
    host: form.host.trim(),
    port: Number(form.port),
    security: form.security,
    username: form.username.trim() === '' ? null : form.username.trim(),
    from: form.from.trim(),
    ...(form.password === '' ? {} : { password: form.password }),
  };
}

/** Whether there is something to save. */
export const isMailTyped = ({ host, from }: MailForm): boolean => host.trim() !== '' && from.trim() !== '';

/** The channels as they are saved: null until they are read, with the sentence of why they cannot be. */
export function useChannels() {
  const app = useAppContext();
  const [channels, setChannels] = useState<ChannelSettings | null>(null);
  const { sentence, run } = useAction();
  useEffect(() => {
    const abort = new AbortController();
    void run(async () => {
      try {
        setChannels(await app.api.request(notificationRoutes.channels, { signal: abort.signal }));
      } catch (error) {
        if (!abort.signal.aborted) throw error;
      }
    });
    return () => abort.abort();
  }, [app, run]);
  return { channels, setChannels, sentence };
}

/** Where mail goes out: in the dialog of the channels, and at the first run. */
export function MailFields<Form extends MailForm>({
  field,
  hasPassword,
}: {
  field: ResourceForm<ChannelSettings, Form>['field'];
  hasPassword: boolean;
}) {
  const t = useT();
  return (
    <>
      <TextField label={t('rules.mail_host')} {...field('host', 'smtp.host')} required maxLength={253} />
      <TextField label={t('rules.mail_port')} numeric {...field('port', 'smtp.port')} maxLength={5} />
      <div className="form-field form-whole">
        <span className="field__label">{t('rules.mail_security')}</span>
        <SegmentedControl
          label={t('rules.mail_security')}
          {...field('security')}
          options={SECURITIES.map((id) => ({ id, label: t(`rules.security.${id}`) }))}
        />
      </div>
      <TextField label={t('rules.mail_user')} {...field('username', 'smtp.username')} maxLength={200} />
      <TextField
        label={t('login.password')}
        {...(hasPassword ? { hint: t('rules.secret_kept') } : {})}
        type="password"
        {...field('password', 'smtp.password')}
        autoComplete="new-password"
        maxLength={1_000}
      />
      <div className="form-whole">
        <TextField label={t('rules.mail_from')} {...field('from', 'smtp.from')} required maxLength={200} />
      </div>
    </>
  );
}
