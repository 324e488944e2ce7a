/** Messages of windows that show a part of the console, and of the wall display. */
export const windowsTexts = {
  'command.follow_selection': 'Follow the selection of other windows, or no longer',
  'command.window_list': 'Open the vehicle list in its own window',
  'command.window_map': 'Open the map in its own window',
  'command.window_queue': 'Open the queue in its own window',
  'command.window_wall': 'Open the wall display in its own window',
  'command.window_vehicle': 'Open the selected vehicle in its own window',

  'window.follow_selection': 'Follow selection',
  'window.list': 'Vehicles',
  'window.map': 'Map',
  'window.no_access': 'You do not have access to this screen.',
  'window.no_vehicle': 'No vehicle selected',
  'window.no_vehicle_how': 'Select a vehicle in the list, on the map or in the queue of another window.',
  'window.open': 'Open in its own window',
  'window.queue': 'Queue',
  'window.vehicle': 'Vehicle',
  'window.wall': 'Wall display',

  'wall.camera': '{{vehicle}} · camera {{channel}} · {{time}}',
  'wall.cameras': 'Cameras of {{vehicle}}',
  'wall.fill': 'Fill the screen',
  'wall.loading': 'Loading',
  'wall.more_one': '{{count}} more in the queue',
  'wall.more_other': '{{count}} more in the queue',
  'wall.no_picture': 'No picture',
} as const;
