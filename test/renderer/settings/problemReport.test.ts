import { describe, expect, it } from 'vitest';
import { reportText } from '../../../renderer/settings/problemReport.ts';

const program = {
  section: 'program' as const,
  title: 'Program',
  facts: { node: '24.1.0', electron: null, up_s: 12 },
  lines: [],
};
const log = { section: 'log' as const, title: 'Log', facts: {}, lines: ['one', 'two'] };

describe('the text of a problem report', () => {
  it('each section stands under its title, facts in columns and lines below them', () => {
    expect(reportText('Report', { title: 'What happened', text: '' }, [program, log])).toBe(
      'Report\n\nProgram\n  node      24.1.0\n  electron  -\n  up_s      12\n\nLog\n  one\n  two\n',
    );
  });

  it('what happened stands before all sections, line by line', () => {
    expect(reportText('Report', { title: 'What happened', text: ' It froze.\nTwice. \n' }, [log])).toBe(
      'Report\n\nWhat happened\n  It froze.\n  Twice.\n\nLog\n  one\n  two\n',
    );
  });
});
