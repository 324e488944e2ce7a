/** Messages of "About". */
export const aboutTexts = {
  'about.data': 'Bundled data',
  'about.failed': 'The licences could not be loaded.',
  'about.fonts': 'fonts, SIL Open Font License 1.1',
  'about.geonames': 'names of places, CC BY 4.0 (geonames.org)',
  'about.loading': 'Loading the licences',
  'about.maps': 'Map files',
  'about.natural_earth': 'coasts and borders of the world map, public domain (naturalearthdata.com)',
  'about.no_maps': 'There are no map files yet.',
  'about.packages': 'Packages',
  'about.product': 'Fleetdeck',
  'about.still_works': 'Everything else works.',
  'about.version': 'Version',
  'about.what': 'Operator console for people who dispatch fleets. MIT licence, © Fleetdeck developers.',
} as const;
