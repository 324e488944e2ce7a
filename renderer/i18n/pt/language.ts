/** Language and units in Portuguese. */
export const texts: Readonly<Record<string, string>> = {
  'language.about':
    'Salvo para você em todos os computadores. Os relatórios e e-mails que você pede também os usam.',
  'language.distance': 'Distância e velocidade',
  'language.distance.km': 'Quilômetros, km/h',
  'language.distance.mi': 'Milhas, mph',
  'language.first_day': 'Primeiro dia da semana',
  'language.hours': 'Relógio',
  'language.hours.h12': '12 horas, 2:30 pm',
  'language.hours.h23': '24 horas, 14:30',
  'language.language': 'Idioma',
  'language.own_zone': 'seu horário',
  'language.title': 'Idioma e unidades',
  'language.usual': 'Igual ao navegador',
  'language.volume': 'Volume',
  'language.volume.gal': 'Galões (EUA)',
  'language.volume.l': 'Litros',
  'language.zone': 'Fuso horário',
  'language.zone.depot': 'Horário da base, {{zone}}',
  'language.zone.own': 'Outro fuso horário',
};
