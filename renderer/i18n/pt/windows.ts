/** Windows in Portuguese. */
export const texts: Readonly<Record<string, string>> = {
  'command.follow_selection': 'Seguir a seleção de outras janelas ou deixar de seguir',
  'command.window_list': 'Abrir a lista de veículos em janela própria',
  'command.window_map': 'Abrir o mapa em janela própria',
  'command.window_queue': 'Abrir a fila em janela própria',
  'command.window_wall': 'Abrir o painel de parede em janela própria',
  'command.window_vehicle': 'Abrir o veículo selecionado em janela própria',

  'window.follow_selection': 'Seguir seleção',
  'window.list': 'Veículos',
  'window.map': 'Mapa',
  'window.no_access': 'Você não tem acesso a esta tela.',
  'window.no_vehicle': 'Nenhum veículo selecionado',
  'window.no_vehicle_how': 'Selecione um veículo na lista, no mapa ou na fila de outra janela.',
  'window.open': 'Abrir em janela própria',
  'window.queue': 'Fila',
  'window.vehicle': 'Veículo',
  'window.wall': 'Painel de parede',

  'wall.camera': '{{vehicle}} · câmera {{channel}} · {{time}}',
  'wall.cameras': 'Câmeras de {{vehicle}}',
  'wall.fill': 'Preencher a tela',
  'wall.loading': 'Carregando',
  'wall.more_one': 'mais {{count}} na fila',
  'wall.more_other': 'mais {{count}} na fila',
  'wall.no_picture': 'Sem imagem',
};
