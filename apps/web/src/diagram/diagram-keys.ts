import { handTexts } from '@cadmus/model/messages/diagram-hands'

const { keys: texts } = handTexts

/** Keys of the diagram's canvas and list; of arrow keys one stands for all. They are listed in the dialog of shortcuts. */
export const diagramKeys = {
  nearest: { label: texts.nearest, shortcut: 'right' },
  nextLink: { label: texts.nextLink, shortcut: ']' },
  previousLink: { label: texts.previousLink, shortcut: '[' },
  choose: { label: texts.choose, shortcut: 'space' },
  open: { label: texts.open, shortcut: 'enter' },
  openBeside: { label: texts.openBeside, shortcut: 'mod+enter' },
  relate: { label: texts.relate, shortcut: 'r' },
  neighbourhood: { label: texts.neighbourhood, shortcut: 'g' },
  way: { label: texts.way, shortcut: 'p' },
  hide: { label: texts.hide, shortcut: 'h' },
  showAll: { label: texts.showAll, shortcut: 'shift+h' },
  nudge: { label: texts.nudge, shortcut: 'alt+right' },
  zoomIn: { label: texts.zoomIn, shortcut: 'plus' },
  zoomOut: { label: texts.zoomOut, shortcut: '-' },
  fit: { label: texts.fit, shortcut: '1' },
  list: { label: texts.list, shortcut: 'alt+l' },
  find: { label: texts.find, shortcut: 'mod+f' },
} as const satisfies Record<string, { label: string; shortcut: string }>

/** Names of keys whose characters are not readable in a list, or need Shift on some keyboards. */
const spelled: Readonly<Record<string, string>> = { ' ': 'space', '+': 'plus', '=': 'plus' }

export function spelledKey(shortcut: string): string {
  return spelled[shortcut] ?? shortcut
}
