import type { TerminalCommand } from '../../server/contract/terminalCommands.ts';

/** Where one stands among earlier texts; `place` counts from the newest, -1 is what is being typed. */
export interface Recall {
  place: number;
  /** What was typed before an earlier text took its place. */
  draft: string;
}

export const nothingRecalled: Recall = { place: -1, draft: '' };

/** The texts of commands, each once, the newest first. */
export function earlierTexts(commands: readonly Pick<TerminalCommand, 'text'>[]): string[] {
  return [...new Set(commands.flatMap(({ text }) => text ?? []))];
}

/** One step to an earlier text (1), or back towards what was typed (-1); null where there is none. */
export function stepRecall(
  texts: readonly string[],
  { place, draft }: Recall,
  typed: string,
  step: 1 | -1,
): { recall: Recall; text: string } | null {
  const next = place + step;
  const kept = place === -1 ? typed : draft;
  if (next === -1) return { recall: nothingRecalled, text: kept };
  const text = texts[next];
  return text === undefined ? null : { recall: { place: next, draft: kept }, text };
}
