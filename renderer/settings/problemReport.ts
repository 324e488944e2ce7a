import type { Fact, ProblemReport } from '../../server/contract/problemReport.ts';

/** A part of a problem report, of the server or of this console. */
export interface ReportPart {
  section: ProblemReport['sections'][number]['section'] | 'console' | 'desktop';
  facts: Readonly<Record<string, Fact>>;
  lines: readonly string[];
}

/** The report as people read it and as it is saved. */
export function reportText(
  title: string,
  note: { title: string; text: string },
  parts: readonly (ReportPart & { title: string })[],
): string {
  const noted =
    note.text.trim() === '' ? [] : [`${note.title}\n${indented(note.text.trim().split(/\r?\n/))}`];
  const sections = parts.map(({ title: name, facts, lines }) => {
    const width = Math.max(0, ...Object.keys(facts).map((key) => key.length));
    const rows = Object.entries(facts).map(([key, fact]) => `${key.padEnd(width)}  ${String(fact ?? '-')}`);
    return `${name}\n${indented([...rows, ...lines])}`;
  });
  return `${[title, ...noted, ...sections].join('\n\n')}\n`;
}

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join('\n');
