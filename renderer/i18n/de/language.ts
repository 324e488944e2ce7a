/** Language in German. */
export const texts: Readonly<Record<string, string>> = {
  'language.about':
    'Für Sie auf jedem Computer gespeichert. Auch von Ihnen angeforderte Berichte und E-Mails verwenden dies.',
  'language.distance': 'Strecke und Tempo',
  'language.distance.km': 'Kilometer, km/h',
  'language.distance.mi': 'Meilen, mph',
  'language.first_day': 'Erster Tag der Woche',
  'language.hours': 'Uhr',
  'language.hours.h12': '12 Stunden, 2:30 pm',
  'language.hours.h23': '24 Stunden, 14:30',
  'language.language': 'Sprache',
  'language.own_zone': 'Ihre Zeit',
  'language.title': 'Sprache und Einheiten',
  'language.usual': 'Wie im Browser',
  'language.volume': 'Volumen',
  'language.volume.gal': 'US-Gallonen',
  'language.volume.l': 'Liter',
  'language.zone': 'Zeitzone',
  'language.zone.depot': 'Depotzeit, {{zone}}',
  'language.zone.own': 'Andere Zeitzone',
};
