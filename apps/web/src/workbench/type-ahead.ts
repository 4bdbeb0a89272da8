/** Maximum wait for the focus of a dialog whose code is loaded, before buffered keys are discarded. */
const timeout = 3000

let held: string | null = null
/** Whether Enter was pressed after the text. */
let sent = false
let timer = 0
/** What the last dialog waits for. */
let waiting: Promise<unknown> | null = null
/** Types the buffered keys into the field that has the focus. */
let deliver: (() => void) | null = null

/**
 * Buffers keys between opening a dialog and the focus reaching its first field, then types them into that field.
 * Escape, or a dialog without a field first, discards them. `code`: of the dialog, which shows or fails then.
 */
export function holdTyping({ code = null, milliseconds = timeout }: Waiting = {}): void {
  clearTimeout(timer)
  waiting = code
  const discardSoon = () => {
    if (waiting === code) timer = window.setTimeout(releaseTyping, milliseconds)
  }
  if (code) code.then(discardSoon, discardSoon)
  else discardSoon()
  if (held !== null) return
  held = ''
  window.addEventListener('keydown', hold, true)
  window.addEventListener('focusin', arrive)
}

type Waiting = { code?: Promise<unknown> | null; milliseconds?: number }

function hold(event: KeyboardEvent): void {
  // Keys come before timers: this one follows those before it into the field.
  if (deliver !== null) return deliver()
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
  const typeHeld = () => {
    const text = held ?? ''
    const isSent = sent
    releaseTyping()
    if (text === '' || document.activeElement !== target) return
    const field = target.matches('input, textarea') ? target : searchOf(target, text)
    if (!field) return
    document.execCommand('insertText', false, text)
    // Waits until the field has processed the text.
    if (isSent) setTimeout(() => send(field))
  }
  deliver = typeHeld
  // After the dialog's own handlers, so that the text replaces a selected suggestion.
  setTimeout(() => deliver === typeHeld && typeHeld())
}

/** A closed picker opens on a typed character and focuses its search field. */
function searchOf(picker: HTMLElement, text: string): HTMLElement | null {
  if (!picker.matches('[role=combobox]')) return null
  picker.dispatchEvent(new KeyboardEvent('keydown', { key: text.slice(0, 1), bubbles: true, cancelable: true }))
  const { activeElement } = document
  return activeElement instanceof HTMLInputElement ? activeElement : null
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
  waiting = null
  held = null
  sent = false
  deliver = null
  window.removeEventListener('keydown', hold, true)
  window.removeEventListener('focusin', arrive)
}
