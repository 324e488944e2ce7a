import type { Translate } from '../../i18n/text.ts';
import type { Toast } from '../../ui/toastStore.ts';

/** Says where a snapshot is: its path, or that it is with the browser's downloads. */
export const snapshotToast = (t: Translate, name: string, saved: string | true): Toast => ({
  text:
    saved === true ? t('player.snapshot_saved', { name }) : t('player.snapshot_saved_at', { path: saved }),
  isTrouble: false,
  action: null,
});

/** `Harbour 2026-11-19 12-03-18.png`: what it is of and when, in the depot's time. */
export function fileNameOf(subject: string, at: number, timeZone: string, kind: string): string {
  const moment = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(at);
  const name = `${subject} ${moment.replaceAll(':', '-')}`;
  return `${name.replaceAll(/[\p{Cc}<>:"/\\|?*]+/gu, '_')}.${kind}`;
}
