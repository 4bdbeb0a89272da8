/** Maximum wait for a dialog's code before buffered keys are discarded. */
const timeout = 3000

let held: string | null = null
/** Whether Enter was pressed after the text. */
let sent = false
let timer = 0

/**
 * Buffers keys between opening a dialog and the focus reaching its first field, then types them into that field.
 * Escape, or a dialog without a field first, discards them.
 */
export function holdTyping(milliseconds = timeout): void {
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
  // Enter must not activate the element that has the focus until then.
  else if (event.key === 'Enter' && held !== '') sent = true
  else if (event.key.length === 1) held += event.key
  else return event.key === 'Escape' ? releaseTyping() : undefined
  event.preventDefault()
  event.stopPropagation()
}

function arrive(event: FocusEvent): void {
  const { target } = event
  if (!(target instanceof HTMLElement) || !target.closest('[role=dialog], [role=alertdialog]')) return
  // After the dialog's own handlers, so that the text replaces a selected suggestion.
  setTimeout(() => {
    const text = held ?? ''
    const isSent = sent
    releaseTyping()
    if (text === '' || document.activeElement !== target || !target.matches('input, textarea')) return
    document.execCommand('insertText', false, text)
    // Waits until the field has processed the text.
    if (isSent) setTimeout(() => send(target))
  })
}

/** Dispatches Enter and the implicit form submission that a browser would perform. */
function send(field: HTMLElement): void {
  const press = new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true })
  if (!field.dispatchEvent(press) || !(field instanceof HTMLInputElement) || field.form === null) return
  const buttons = [...field.form.elements].filter(element => element instanceof HTMLButtonElement)
  buttons.find(({ type }) => type === 'submit')?.click()
}

/** Stops buffering; keys go to the focused element again. */
export function releaseTyping(): void {
  clearTimeout(timer)
  held = null
  sent = false
  window.removeEventListener('keydown', hold, true)
  window.removeEventListener('focusin', arrive)
}
