type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** The shortcut of a key press, e.g. 'mod+shift+z'. Shift is omitted if it is needed to type the character ('?'). */
export function shortcutOf(event: KeyPress): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : named(event.key)
  const typed = event.key.length === 1 && !/[a-z0-9]/i.test(event.key)
  const parts = [
    event.ctrlKey || event.metaKey ? 'mod' : '',
    event.altKey ? 'alt' : '',
    event.shiftKey && !typed ? 'shift' : '',
    key,
  ]
  return parts.filter(part => part !== '').join('+')
}

const ofText = ['mod+z', 'mod+shift+z', 'mod+y']

/**
 * Whether the key press is text input for a field, which shortcuts without modifier must not intercept. Undo and redo
 * belong to a field while it holds unapplied text; fields that show the document's value carry data-applied.
 */
export function isTyping(target: EventTarget | null, shortcut: string): boolean {
  if (ofText.includes(shortcut))
    return target instanceof HTMLElement && isText(target) && !('applied' in target.dataset)
  if (shortcut.includes('mod+') || shortcut.startsWith('alt+') || /^(shift\+)?f8$/.test(shortcut)) return false
  if (!(target instanceof HTMLElement)) return false
  return isText(target)
}

function isText(target: HTMLElement): boolean {
  return target.isContentEditable || target.matches('input:not([type=checkbox]):not([type=radio]), textarea, select')
}

function named(key: string): string {
  const names: Record<string, string> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' }
  return names[key] ?? key.toLowerCase()
}
