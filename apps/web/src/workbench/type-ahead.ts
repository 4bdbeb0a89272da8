/** As long as the slowest code may take to come before what was typed is let go. */
const patience = 3000

let held: string | null = null
/** Enter followed what was typed. */
let sent = false
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
  // It sends what was typed: what has the focus until then would be pressed by it.
  else if (event.key === 'Enter' && held !== '') sent = true
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
    const isSent = sent
    releaseTyping()
    if (text === '' || document.activeElement !== target || !target.matches('input, textarea')) return
    document.execCommand('insertText', false, text)
    // Once the field knows what was typed into it.
    if (isSent) setTimeout(() => send(target))
  })
}

/** Enter in a field, and what the browser makes of it in a form. */
function send(field: HTMLElement): void {
  const press = new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true })
  if (!field.dispatchEvent(press) || !(field instanceof HTMLInputElement) || field.form === null) return
  const buttons = [...field.form.elements].filter(element => element instanceof HTMLButtonElement)
  buttons.find(({ type }) => type === 'submit')?.click()
}

/** Nothing is waited for any longer: what is typed goes where the focus is. */
export function releaseTyping(): void {
  clearTimeout(timer)
  held = null
  sent = false
  window.removeEventListener('keydown', hold, true)
  window.removeEventListener('focusin', arrive)
}
