/** About in Spanish. */
export const texts: Readonly<Record<string, string>> = {
  'about.data': 'Datos incluidos',
  'about.failed': 'No se pudieron cargar las licencias.',
  'about.fonts': 'fuentes, SIL Open Font License 1.1',
  'about.geonames': 'nombres de lugares, CC BY 4.0 (geonames.org)',
  'about.loading': 'Cargando las licencias',
  'about.maps': 'Archivos de mapa',
  'about.natural_earth': 'costas y fronteras del mapa mundial, dominio público (naturalearthdata.com)',
  'about.no_maps': 'Aún no hay archivos de mapa.',
  'about.packages': 'Paquetes',
  'about.product': 'Fleetdeck',
  'about.still_works': 'Todo lo demás funciona.',
  'about.version': 'Versión',
  'about.what':
    'Consola de operador para quienes gestionan flotas. Licencia MIT, © desarrolladores de Fleetdeck.',
};
