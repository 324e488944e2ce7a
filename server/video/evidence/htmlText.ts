/** Text that was escaped, or markup of ours. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | null | readonly Html[];

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Markup with values in it; every value that is not markup itself is escaped. Null is nothing. The markup's own
 * indentation is left out, that of the values stays.
 */
export function html(markup: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const plain = markup.map((text) => text.replaceAll(/\n\s+/g, '\n'));
  return {
    html: plain.map((text, at) => (at === 0 ? text : `${textOf(parts[at - 1] ?? null)}${text}`)).join(''),
  };
}

/** Markup that was made elsewhere in full. */
export function trusted(markup: string): Html {
  return { html: markup };
}

function textOf(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'string') return part.replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? sign);
  if (typeof part === 'number') return String(part);
  return 'html' in part ? part.html : part.map((it) => it.html).join('\n');
}
