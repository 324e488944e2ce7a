/** Hints for who is new, in German. */
export const texts: Readonly<Record<string, string>> = {
  'hint.got_it': 'Verstanden',
  'hint.hide_all': 'Alle Hinweise ausblenden',
  'hint.history.text':
    'Ziehen Sie die Zeit im Verlauf: Alle Fahrzeuge stehen, wo sie damals waren, mit Strecken und Ereignissen.',
  'hint.history.title': 'Die Flotte zu jedem früheren Zeitpunkt',
  'hint.keys.text': 'Jede Aktion hat eine Taste. In den Einstellungen können Sie die Tasten ändern.',
  'hint.keys.title': 'Alle Tasten auf einen Blick',
  'hint.of': 'Hinweis {{number}} von {{total}}',
  'hint.picture.text':
    'Alarm auswählen und Taste drücken: Das Video dieses Moments wird angefordert und abgespielt, sobald es da ist.',
  'hint.picture.title': 'Vom Alarm zum Video',
  'hint.queue.text': 'Zum nächsten oder vorigen Alarm gehen und quittieren. Die Karte folgt.',
  'hint.queue.title': 'Alarme mit der Tastatur bearbeiten',
  'hint.search.text':
    'Fahrzeuge, Kennzeichen, Fahrer, Telefonnummern, Geofences, Adressen und Befehle: ein Feld findet alles.',
  'hint.search.title': 'Alles finden',
  'hint.shift.text':
    'Starten Sie zu Beginn eine Schicht. Am Ende bekommt der nächste Disponent den Bericht und Ihre Notizen.',
  'hint.shift.title': 'Schicht übergeben',
  'hint.title': 'Hinweis',
};
