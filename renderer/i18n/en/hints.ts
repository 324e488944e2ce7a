/** Messages of the hints for who is new. */
export const hintsTexts = {
  'hint.got_it': 'Got it',
  'hint.hide_all': 'Hide all hints',
  'hint.history.text':
    'Drag the time in History: all vehicles stand where they were then, with their tracks and events.',
  'hint.history.title': 'See the fleet at any past moment',
  'hint.keys.text': 'Every action has a key. You can change them in Settings.',
  'hint.keys.title': 'All keys at a glance',
  'hint.of': 'Hint {{number}} of {{total}}',
  'hint.picture.text':
    'Select an alarm and press the key: the video of that moment is requested, and plays as soon as it is here.',
  'hint.picture.title': 'From the alarm to its video',
  'hint.queue.text': 'Go to the next or the previous alarm, and acknowledge it. The map follows.',
  'hint.queue.title': 'Work through the queue by keyboard',
  'hint.search.text':
    'Vehicles, plates, drivers, phone numbers, geofences, addresses and commands: one field finds them all.',
  'hint.search.title': 'Find anything',
  'hint.shift.text':
    'Start a shift when you begin. At its end the next dispatcher gets the report and your notes.',
  'hint.shift.title': 'Hand over your shift',
  'hint.title': 'Hint',
};
