import { TerminalError } from '../../../../server/video/terminals/terminal.ts';

/** What a terminal said that it failed of; `none` when it did not. */
export async function faultOf(work: Promise<unknown>): Promise<{ fault: string; detail: string }> {
  try {
    await work;
  } catch (error) {
    if (error instanceof TerminalError) return { fault: error.fault, detail: error.message };
    throw error;
  }
  return { fault: 'none', detail: '' };
}
