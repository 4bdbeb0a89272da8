/**
 * Creates an element with attributes and children; `on…` functions become listeners. Strings are added as text, not as
 * markup.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | boolean | EventListener>} attributes
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name.slice(2), value)
    else if (value === true) made.setAttribute(name, '')
    else if (value !== false) made.setAttribute(name, value)
  }
  made.append(...children)
  return made
}

let fields = 0

/**
 * A form field with its label above it.
 * @template {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Control
 * @param {string} text
 * @param {Control} control
 * @param {string} [hint]
 * @returns {HTMLElement}
 */
export function labelled(text, control, hint = '') {
  fields += 1
  control.id = `field-${fields}`
  const label = element('label', { for: control.id }, text)
  if (hint !== '') label.append(' ', element('span', { class: 'hint' }, hint))
  return element('div', {}, label, control)
}

/**
 * Runs a form on submit and on Ctrl+Enter, also from a multi-line field.
 * @param {HTMLFormElement} form
 * @param {() => void} run
 */
export function onRun(form, run) {
  form.addEventListener('submit', event => {
    event.preventDefault()
    run()
  })
  form.addEventListener('keydown', event => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    form.requestSubmit()
  })
}
