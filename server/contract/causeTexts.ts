import type { Cause } from './causes.ts';

/** Causes in English, as a `detail` has them, by their codes. The console loads none of these. */
export const causeTexts = {
  verbatim: '{{detail}}',

  'backup.cancelled': 'The backup was cancelled.',
  'backup.disk_full': 'The disk of the backup folder {{folder}} is full.',
  'backup.failed': 'The backup into {{folder}} failed: {{reason}}',
  'backup.no_folder': 'No backup folder is set.',
  'backup.no_space': 'The backup needs {{needed_mb}} MB in {{folder}}, and {{free_mb}} MB are free.',
  'backup.not_finished': 'The backup of {{due}} is not finished.',
  'backup.not_made': 'The backup of {{due}} was not made:',
  'backup.running': 'A backup is being made already.',

  'disk.full': 'The disk is full.',
  'folder.in_data': 'The folder {{folder}} lies in the data folder: choose one on another disk.',
  'folder.missing': 'The folder {{folder}} does not exist, or its disk is not connected.',
  'folder.not_absolute': 'The folder {{folder}} is not an absolute path.',
  'folder.not_a_folder': 'The folder {{folder}} is not a folder.',
  'folder.not_written': 'The folder {{folder}} cannot be written: {{reason}}.',

  'delivery.not_approved': 'Not sent: a dealer has to approve this recipient.',

  'health.channel': '{{channel}}: the last {{count}} messages were not delivered: {{reason}}',
  'health.clock_back': 'The clock of this machine was set back by {{seconds}} s.',
  'health.clock_forward': 'The clock of this machine was set forward by {{seconds}} s.',
  'health.disk_full': 'The disk that holds the data folder is full.',
  'health.disk_low':
    '{{free}} are free where the data folder lies, less than the reserve of {{reserve}}: no video is downloaded.',
  'health.incidents_full':
    '{{most}} incidents are not closed: alarms open no more, but for an SOS. Close some.',
  'health.intake_silent': '{{due}} terminals were due, and none has sent anything.',
  'health.more_reports': 'And {{count}} more.',
  'health.report': '{{name}}:',
  'health.restored': 'Read from a backup, and not confirmed yet: {{files}}.',
  'health.secrets': 'Encrypted for another user or computer, and to be entered again: {{names}}.',
  'health.slept': 'The server did not run from {{from}} to {{to}}: nothing was received.',
  'health.unresponsive': 'The server answered nobody for {{seconds}} s.',

  'mail.certificate': 'The certificate of the mail server is not trusted: {{reason}}',
  'mail.credentials': 'The mail server does not accept the user name or password: {{reply}}',
  'mail.deferred': 'The mail server deferred it: {{reply}}',
  'mail.none': 'No mail server is set up.',
  'mail.rejected': 'The mail server rejected it: {{reply}}',
  'mail.taken': 'The mail server took it.',
  'mail.too_late': 'The mail server did not take it within {{seconds}} s.',
  'mail.unreachable': 'The mail server cannot be reached: {{reason}}',

  'rule.group_deleted': 'The last of its groups, {{name}}, was deleted.',
  'rule.named_deleted': 'The last of what it named was deleted.',
  'rule.owner_deleted': 'Its owner, {{name}}, was deleted.',
  'rule.vehicle_deleted': 'The last of its vehicles, {{name}}, was deleted.',
  'rule.vehicles_deleted': 'The last of its vehicles was deleted.',

  'test.desktop': 'The desktop channel is shown by each console itself.',
  'test.too_late': 'There was no answer within {{seconds}} s.',

  'webhook.address': 'Its address {{reason}}.',
  'webhook.answered': 'It answered {{status}}.',
  'webhook.certificate': 'Its certificate is not trusted.',
  'webhook.no_connection': 'No connection.',
  'webhook.own_address': 'It is an address of this host itself.',
  'webhook.redirect': 'It answered {{status}}; redirects are not followed.',

  'schedule.not_allowed': 'Its owner may no longer schedule reports.',
  'schedule.not_approved': '{{to}}: a dealer has to approve this recipient.',
  'schedule.not_sent': '{{to}}:',
  'schedule.owner_gone': 'Its owner was deleted or blocked, or the API token that set it up was revoked.',
  'schedule.sent': 'Sent to {{to}}.',
  'schedule.too_large': 'The file is too large for email: have it written into a folder.',
  'schedule.written': 'Written to {{path}}.',

  'work.closed': 'The host is shutting down.',
  'work.ended': 'The work ended before it was done; it may be asked for again.',
  'work.out_of_memory': 'This needs more memory than one call may take: ask for less.',
  'work.store_failed': 'The store could not be read.',
  'work.too_long': 'This takes longer than one call may take: ask for less.',

  'terminal.order_failed': 'The terminal refuses the order: it failed.',
  'terminal.order_not_understood': 'The terminal refuses the order: it does not understand it.',
  'terminal.order_not_supported': 'The terminal refuses the order: it cannot do that.',
  'terminal.order_refused': 'The terminal refuses the order: its answer was {{result}}.',
} as const;
export type CauseCode = keyof typeof causeTexts;

type NamesIn<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type ValuesOf<C extends CauseCode> =
  NamesIn<(typeof causeTexts)[C]> extends never
    ? []
    : [values: Record<NamesIn<(typeof causeTexts)[C]>, string | number>];

export const causeOf = <C extends CauseCode>(code: C, ...[values]: ValuesOf<C>): Cause => ({
  code,
  values: values ?? {},
});

/** The English sentences of causes. */
export function detailOf(causes: readonly Cause[]): string {
  const texts: Readonly<Record<string, string>> = causeTexts;
  const sentences = causes.map(({ code, values }) =>
    (texts[code] ?? causeTexts.verbatim).replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) =>
      String(values[name]),
    ),
  );
  return sentences.join(' ');
}

/** A `detail` with its causes. */
export const said = (...causes: Cause[]): { detail: string; causes: Cause[] } => ({
  detail: detailOf(causes),
  causes,
});
