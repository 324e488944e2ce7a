/** `V 17 channel 1 2026-11-19 12-03-18.mp4`, in the depot's time; signs that a file system forbids are left out. */
export const clipFileName = (vehicle: string, channel: number, from: number, timeZone: string): string =>
  fileName(`${vehicle} channel ${channel}`, from, timeZone, 'mp4');

/** The same of a picture; of all channels without a number. */
export const snapshotFileName = (
  vehicle: string,
  channel: number | null,
  at: number,
  timeZone: string,
): string => fileName(channel === null ? vehicle : `${vehicle} channel ${channel}`, at, timeZone, 'png');

function fileName(subject: string, at: number, timeZone: string, kind: string): string {
  const moment = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(at);
  const name = `${subject} ${moment.replaceAll(':', '-')}`;
  return `${name.replaceAll(/[\p{Cc}<>:"/\\|?*]+/gu, '_')}.${kind}`;
}
