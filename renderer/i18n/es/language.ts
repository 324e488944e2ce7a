/** Language and units in Spanish. */
export const texts: Readonly<Record<string, string>> = {
  'language.about':
    'Se guarda para usted en todos los equipos. Los informes y correos que solicite también lo usan.',
  'language.distance': 'Distancia y velocidad',
  'language.distance.km': 'Kilómetros, km/h',
  'language.distance.mi': 'Millas, mph',
  'language.first_day': 'Primer día de la semana',
  'language.hours': 'Reloj',
  'language.hours.h12': '12 horas, 2:30 pm',
  'language.hours.h23': '24 horas, 14:30',
  'language.language': 'Idioma',
  'language.own_zone': 'su hora',
  'language.title': 'Idioma y unidades',
  'language.usual': 'Como el navegador',
  'language.volume': 'Volumen',
  'language.volume.gal': 'Galones de EE. UU.',
  'language.volume.l': 'Litros',
  'language.zone': 'Zona horaria',
  'language.zone.depot': 'Hora de la base, {{zone}}',
  'language.zone.own': 'Otra zona horaria',
};
