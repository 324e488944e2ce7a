/** About in Russian. */
export const texts: Readonly<Record<string, string>> = {
  'about.data': 'Включённые данные',
  'about.failed': 'Не удалось загрузить лицензии.',
  'about.fonts': 'шрифты, SIL Open Font License 1.1',
  'about.geonames': 'названия мест, CC BY 4.0 (geonames.org)',
  'about.loading': 'Загрузка лицензий',
  'about.maps': 'Файлы карт',
  'about.natural_earth': 'берега и границы карты мира, общественное достояние (naturalearthdata.com)',
  'about.no_maps': 'Файлов карт пока нет.',
  'about.packages': 'Пакеты',
  'about.product': 'Fleetdeck',
  'about.still_works': 'Всё остальное работает.',
  'about.version': 'Версия',
  'about.what': 'Консоль диспетчера для тех, кто управляет парком. Лицензия MIT, © разработчики Fleetdeck.',
};
