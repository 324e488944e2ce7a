/** About in German. */
export const texts: Readonly<Record<string, string>> = {
  'about.data': 'Mitgelieferte Daten',
  'about.failed': 'Die Lizenzen konnten nicht geladen werden.',
  'about.fonts': 'Schriften, SIL Open Font License 1.1',
  'about.geonames': 'Ortsnamen, CC BY 4.0 (geonames.org)',
  'about.loading': 'Lizenzen werden geladen',
  'about.maps': 'Kartendateien',
  'about.natural_earth': 'Küsten und Grenzen der Weltkarte, gemeinfrei (naturalearthdata.com)',
  'about.no_maps': 'Es gibt noch keine Kartendateien.',
  'about.packages': 'Pakete',
  'about.product': 'Fleetdeck',
  'about.still_works': 'Alles andere funktioniert.',
  'about.version': 'Version',
  'about.what': 'Leitstand-Konsole für Flottendisponenten. MIT-Lizenz, © Fleetdeck-Entwickler.',
};
