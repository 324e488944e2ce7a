/** About in Chinese. */
export const texts: Readonly<Record<string, string>> = {
  'about.data': '内置数据',
  'about.failed': '许可信息加载失败。',
  'about.fonts': '字体，SIL Open Font License 1.1',
  'about.geonames': '地名，CC BY 4.0（geonames.org）',
  'about.loading': '正在加载许可信息',
  'about.maps': '地图文件',
  'about.natural_earth': '世界地图的海岸线和边界，公有领域（naturalearthdata.com）',
  'about.no_maps': '暂无地图文件。',
  'about.packages': '软件包',
  'about.product': 'Fleetdeck',
  'about.still_works': '其他功能均正常。',
  'about.version': '版本',
  'about.what': '车队调度人员的操作控制台。MIT 许可，© Fleetdeck developers。',
};
