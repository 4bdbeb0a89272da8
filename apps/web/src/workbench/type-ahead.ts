/** As long as the slowest code may take to come before what was typed is let go. */
const patience = 3000

let held: string | null = null
let timer = 0

/**
 * Keeps what is typed between the press that opens a dialog and the moment its first field has the focus, and types it there:
 * nobody waits for a field before they go on writing. Escape, or a dialog that starts with something else, lets it go.
 */
export function holdTyping(milliseconds = patience): void {
  clearTimeout(timer)
  timer = window.setTimeout(releaseTyping, milliseconds)
  if (held !== null) return
  held = ''
  window.addEventListener('keydown', hold, true)
  window.addEventListener('focusin', arrive)
}

function hold(event: KeyboardEvent): void {
  if (held === null || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
  if (event.key === 'Backspace') held = held.slice(0, -1)
  else if (event.key.length === 1) held += event.key
  else return event.key === 'Escape' ? releaseTyping() : undefined
  event.preventDefault()
  event.stopPropagation()
}

function arrive(event: FocusEvent): void {
  const { target } = event
  if (!(target instanceof HTMLElement) || !target.closest('[role=dialog], [role=alertdialog]')) return
  // After the dialog's own handlers: a name that it suggests is selected by then, and what was typed takes its place.
  setTimeout(() => {
    const text = held ?? ''
    releaseTyping()
    if (text !== '' && document.activeElement === target && target.matches('input, textarea'))
      document.execCommand('insertText', false, text)
  })
}

/** Nothing is waited for any longer: what is typed goes where the focus is. */
export function releaseTyping(): void {
  clearTimeout(timer)
  held = null
  window.removeEventListener('keydown', hold, true)
  window.removeEventListener('focusin', arrive)
}
