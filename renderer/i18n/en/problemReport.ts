/** Messages of problem reports. */
export const problemReportTexts = {
  'problem_report.about':
    'A file with versions, settings, health and the recent log, for whoever looks for a fault. You review it before it is saved, and it is sent to nobody.',
  'problem_report.create': 'Create problem report',
  'problem_report.failed': 'The problem report could not be created.',
  'problem_report.heading': 'Fleetdeck problem report',
  'problem_report.loading': 'Creating the problem report',
  'problem_report.note': 'What happened',
  'problem_report.note_about':
    'What you did, what you expected, and what you saw. Leave blank to leave it out.',
  'problem_report.preview': 'Content of the file',
  'problem_report.review':
    'Passwords, keys, JWTs, email addresses and telephone numbers are left out. Check the content, clear the sections that you do not want to hand on, then save the file.',
  'problem_report.save': 'Save file',
  'problem_report.section.computer': 'Computer',
  'problem_report.section.console': 'Console',
  'problem_report.section.counts': 'Counts',
  'problem_report.section.desktop': 'Desktop',
  'problem_report.section.health': 'Health',
  'problem_report.section.log': 'Log',
  'problem_report.section.metrics': 'Metrics',
  'problem_report.section.program': 'Program',
  'problem_report.section.settings': 'Settings',
  'problem_report.section.storage': 'Storage',
  'problem_report.sections': 'Sections',
  'problem_report.title': 'Problem report',
} as const;
