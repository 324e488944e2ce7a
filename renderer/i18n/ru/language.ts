/** Language in Russian. */
export const texts: Readonly<Record<string, string>> = {
  'language.about':
    'Сохраняется для вас на всех компьютерах. Действует и для заказанных вами отчётов и писем.',
  'language.distance': 'Расстояние и скорость',
  'language.distance.km': 'Километры, км/ч',
  'language.distance.mi': 'Мили, миль/ч',
  'language.first_day': 'Первый день недели',
  'language.hours': 'Часы',
  'language.hours.h12': '12 часов, 2:30 pm',
  'language.hours.h23': '24 часа, 14:30',
  'language.language': 'Язык',
  'language.own_zone': 'ваше время',
  'language.title': 'Язык и единицы',
  'language.usual': 'Как в браузере',
  'language.volume': 'Объём',
  'language.volume.gal': 'Галлоны США',
  'language.volume.l': 'Литры',
  'language.zone': 'Часовой пояс',
  'language.zone.depot': 'Время депо, {{zone}}',
  'language.zone.own': 'Другой часовой пояс',
};
