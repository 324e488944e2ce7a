import type { Translate } from '../../i18n/text.ts';
import type { Failure } from './failure.ts';

/** A failure in words: what it is, and the terminal's or server's own detail, else what to do. */
export function reasonText(failure: Failure, t: Translate): { title: string; how: string } {
  const how = t(`reason.${failure.code}.how`);
  return {
    title: t(`reason.${failure.code}`),
    how: failure.detail === '' ? how : sentence(failure.detail),
  };
}

/** Details come as words for a log: "no frame before 10:02". */
function sentence(detail: string): string {
  const text = detail.charAt(0).toUpperCase() + detail.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
