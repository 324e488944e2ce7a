import { z } from 'zod';
import { ownEscalation, type EscalationStep } from '../../contract/escalation.ts';
import { stamps } from '../../contract/fields.ts';
import type { channelPatch, ChannelSettings } from '../../contract/notifications.ts';
import { invalid } from '../../http/apiError.ts';
import type { Document } from '../../store/documents/Document.ts';
import { readable } from '../../store/sealing.ts';
import { signatureRule } from './webhook.ts';

const smtp = z.object({
  host: z.string(),
  port: z.int(),
  security: z.enum(['none', 'starttls', 'tls']),
  username: z.string().nullable(),
  password: z.string().nullable(),
  from: z.string(),
});
/** A mail server and how to speak to it. */
export type Smtp = z.infer<typeof smtp>;

/** `channels.json` */
export const channelsDocument = z.object({
  smtp: smtp.nullable(),
  webhook_secret: z.string().nullable(),
  /** Of the rules that use the escalation of the depot. */
  alarm_escalation: ownEscalation.nullable().default(null),
  version: stamps.version.default(1),
});
export type ChannelsDocument = z.output<typeof channelsDocument>;

export const noChannels: ChannelsDocument = {
  smtp: null,
  webhook_secret: null,
  alarm_escalation: null,
  version: 1,
};

/** The same with each secret replaced. */
export function replaceChannelSecrets(
  { smtp, webhook_secret, ...rest }: ChannelsDocument,
  by: (secret: string) => string,
): ChannelsDocument {
  const replaced = (secret: string | null) => (secret === null ? null : by(secret));
  return {
    smtp: smtp === null ? null : { ...smtp, password: replaced(smtp.password) },
    webhook_secret: replaced(webhook_secret),
    ...rest,
  };
}

/** What the change log may show of it. */
export function channelsInLog({ smtp, webhook_secret, ...rest }: ChannelsDocument): object {
  return {
    ...rest,
    smtp: smtp === null ? null : presentSmtp(smtp),
    webhook_secret: webhook_secret === null ? null : 'changed',
  };
}

export type ChannelStore = ReturnType<typeof createChannelStore>;

export function createChannelStore(document: Document<ChannelsDocument>) {
  const listeners = new Set<() => void>();

  function present(): ChannelSettings {
    const { smtp, webhook_secret, alarm_escalation } = document.data;
    return {
      smtp: smtp === null ? null : presentSmtp(smtp),
      webhook: { has_secret: readable(webhook_secret) !== null, signature: signatureRule },
      alarm_escalation,
    };
  }

  return {
    smtp(): Smtp | null {
      const { smtp } = document.data;
      return smtp === null ? null : { ...smtp, password: readable(smtp.password) };
    },
    webhookSecret: (): string | null => readable(document.data.webhook_secret),
    /** The steps of the rules that use those of the depot; null: there are none. */
    alarmSteps: (): readonly EscalationStep[] | null => document.data.alarm_escalation?.steps ?? null,
    present,

    /** Throws 400 when a password must be given again. */
    async patch(patch: z.output<typeof channelPatch>): Promise<ChannelSettings> {
      await document.update((draft, before) => {
        if (patch.smtp !== undefined) {
          draft.smtp =
            patch.smtp === null ? null : { ...patch.smtp, password: passwordOf(patch.smtp, before) };
        }
        if (patch.webhook_secret !== undefined) draft.webhook_secret = patch.webhook_secret;
        if (patch.alarm_escalation !== undefined) draft.alarm_escalation = patch.alarm_escalation;
        draft.version += 1;
      });
      for (const listener of listeners) listener();
      return present();
    },

    /** Called after the flush. Returns its undo. */
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function presentSmtp({ password, ...shown }: Smtp): NonNullable<ChannelSettings['smtp']> {
  return { ...shown, has_password: readable(password) !== null };
}

/**
 * A password that is not sent again stays, but not for another server, nor in the open where it was sealed before:
 * whoever may change the address must not learn the password by it.
 */
function passwordOf(
  input: Omit<Smtp, 'password'> & { password?: string | null | undefined },
  { smtp: old }: Readonly<ChannelsDocument>,
): string | null {
  if (input.username === null) return null;
  if (input.password !== undefined) return input.password;
  if (old === null || old.password === null) return null;
  const isSameServer = old.host.toLowerCase() === input.host.toLowerCase() && old.port === input.port;
  if (!isSameServer)
    throw invalid('smtp.password', 'must be given again because the server changed', 'again');
  if (input.security === 'none' && old.security !== 'none') {
    throw invalid('smtp.password', 'must be given again because it would travel in the open', 'again');
  }
  return old.password;
}
