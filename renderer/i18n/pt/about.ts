/** About in Portuguese. */
export const texts: Readonly<Record<string, string>> = {
  'about.data': 'Dados incluídos',
  'about.failed': 'Não foi possível carregar as licenças.',
  'about.fonts': 'fontes, SIL Open Font License 1.1',
  'about.geonames': 'nomes de lugares, CC BY 4.0 (geonames.org)',
  'about.loading': 'Carregando as licenças',
  'about.maps': 'Arquivos de mapa',
  'about.natural_earth': 'costas e fronteiras do mapa-múndi, domínio público (naturalearthdata.com)',
  'about.no_maps': 'Ainda não há arquivos de mapa.',
  'about.packages': 'Pacotes',
  'about.product': 'Fleetdeck',
  'about.still_works': 'Todo o resto funciona.',
  'about.version': 'Versão',
  'about.what': 'Console de operação para quem controla frotas. Licença MIT, © desenvolvedores do Fleetdeck.',
};
