/** Terminal commands in German. */
export const texts: Readonly<Record<string, string>> = {
  'terminal.again': 'Erneut senden',
  'terminal.again_of': '{{what}} erneut senden',
  'terminal.asked_position': 'Positionsabfrage',
  'terminal.by': '{{time}}, {{user}}',
  'terminal.cancel_of': 'Befehl {{what}} abbrechen',
  'terminal.cancel_too_late': 'Er wurde bereits gesendet und kann nicht mehr abgebrochen werden.',
  'terminal.empty': 'An dieses Terminal wurden noch keine Befehle gesendet.',
  'terminal.failed': 'Die Befehle konnten nicht geladen werden',
  'terminal.failed_still': 'Neue Befehle können weiter gesendet werden.',
  'terminal.response_empty': 'Leere Antwort.',
  'terminal.response_of': 'Antwort auf {{what}}',
  'terminal.failed_stale': 'Die Befehle konnten nicht neu geladen werden. Dies sind die letzten bekannten.',
  'terminal.hint':
    'Befehlssyntax des Terminals; kann es umkonfigurieren oder stilllegen. Pfeil nach oben: frühere Befehle.',
  'terminal.kind': 'Befehlstyp',
  'terminal.kind.position': 'Position abfragen',
  'terminal.kind.text': 'Text',
  'terminal.last': 'Letzte Befehle',
  'terminal.loading': 'Letzte Befehle werden geladen',
  'terminal.not_sent':
    'Keine Antwort. Der Befehl wurde eventuell angenommen; erneutes Senden ist sicher, er geht nur einmal hinaus.',
  'terminal.of': 'Terminal {{terminal}}',
  'terminal.older': 'Ältere anzeigen',
  'terminal.older_failed': 'Ältere Einträge konnten nicht geladen werden.',
  'terminal.send': 'Senden',
  'terminal.stale': 'Befehle sind nach dem Verbinden möglich. Ihr Text bleibt erhalten.',
  'terminal.still_sending':
    'Der vorige Befehl wird noch gesendet. Ihr Text bleibt erhalten; senden Sie ihn gleich erneut.',
  'terminal.text': 'Text für das Terminal',
  'terminal.title': 'Befehl an {{vehicle}}',
};
