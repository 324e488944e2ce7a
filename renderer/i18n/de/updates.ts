/** Updates in German. */
export const texts: Readonly<Record<string, string>> = {
  'updates.about':
    'Neue Versionen von Fleetdeck für diesen Computer. Vor der Installation wird der Server gesichert und das Installationsprogramm dieser Version aufbewahrt. Startet die neue Version dreimal nicht, wird beides wiederhergestellt.',
  'updates.by_itself': 'Automatisch installieren',
  'updates.by_itself_about':
    'In der Stunde der Prüfung und nur, wenn kein Alarm offen ist und kein Video abgerufen wird. Fleetdeck startet neu.',
  'updates.check': 'Jetzt prüfen',
  'updates.checked': 'Geprüft',
  'updates.failed': 'Die Updates dieses Computers konnten nicht geladen werden.',
  'updates.hour': 'Täglich prüfen um',
  'updates.install': 'Installieren und neu starten',
  'updates.install_confirm': 'Jetzt neu starten?',
  'updates.key': 'Öffentlicher Schlüssel',
  'updates.key_about':
    'Ed25519, 32 Byte in Base64. Nur mit dem zugehörigen privaten Schlüssel signierte Versionen werden installiert.',
  'updates.loading': 'Wird geladen',
  'updates.on': 'Nach Updates suchen',
  'updates.on_about': 'Aus: Dieser Computer fragt keinen Server nach Updates.',
  'updates.save': 'Speichern',
  'updates.state.checking': 'Prüfung läuft',
  'updates.state.downloading': 'Version {{found}} wird heruntergeladen: {{percent}} %',
  'updates.state.failed': 'Die letzte Prüfung schlug fehl: {{reason}}',
  'updates.state.idle': 'Version {{version}}. Noch nicht geprüft.',
  'updates.state.installing': 'Version {{found}} wird installiert. Fleetdeck startet neu.',
  'updates.state.ready': 'Version {{found}} ist heruntergeladen und geprüft.',
  'updates.state.refused': 'Ein Update wurde abgelehnt: {{reason}}',
  'updates.state.up_to_date': 'Version {{version}} ist aktuell.',
  'updates.title': 'Updates',
  'updates.url': 'Adresse',
  'updates.url_about':
    'Des Ordners mit latest.yml, latest.yml.sig und den Installationsprogrammen, mit https://',
};
