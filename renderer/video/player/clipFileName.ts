/** `V 17 channel 1 2026-11-19 12-03-18.mp4`, in the depot's time; signs that a file system forbids are left out. */
export function clipFileName(vehicle: string, channel: number, from: number, timeZone: string): string {
  const moment = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(from);
  const name = `${vehicle} channel ${channel} ${moment.replaceAll(':', '-')}`;
  return `${name.replaceAll(/[\p{Cc}<>:"/\\|?*]+/gu, '_')}.mp4`;
}
