/** Problem report in German. */
export const texts: Readonly<Record<string, string>> = {
  'problem_report.about':
    'Eine Datei mit Versionen, Einstellungen, Zustand und aktuellem Protokoll für die Fehlersuche. Sie prüfen sie vor dem Speichern; sie wird an niemanden gesendet.',
  'problem_report.create': 'Problembericht erstellen',
  'problem_report.failed': 'Der Problembericht konnte nicht erstellt werden.',
  'problem_report.heading': 'Fleetdeck-Problembericht',
  'problem_report.loading': 'Problembericht wird erstellt',
  'problem_report.note': 'Was geschah',
  'problem_report.note_about':
    'Was Sie taten, was Sie erwarteten und was Sie sahen. Leer lassen, um es wegzulassen.',
  'problem_report.preview': 'Inhalt der Datei',
  'problem_report.review':
    'Passwörter, Schlüssel, JWTs, E-Mail-Adressen und Telefonnummern sind nicht enthalten. Inhalt prüfen, nicht weiterzugebende Abschnitte abwählen, dann die Datei speichern.',
  'problem_report.save': 'Datei speichern',
  'problem_report.section.computer': 'Computer',
  'problem_report.section.console': 'Konsole',
  'problem_report.section.counts': 'Zählungen',
  'problem_report.section.desktop': 'Desktop',
  'problem_report.section.health': 'Zustand',
  'problem_report.section.log': 'Protokoll',
  'problem_report.section.metrics': 'Metriken',
  'problem_report.section.program': 'Programm',
  'problem_report.section.settings': 'Einstellungen',
  'problem_report.section.storage': 'Speicher',
  'problem_report.sections': 'Abschnitte',
  'problem_report.title': 'Problembericht',
};
