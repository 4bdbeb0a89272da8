/**
 * An element with attributes and children; `on…` functions become listeners. Texts are texts, never markup.
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
 * A field with its label above it.
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
 * Runs a form by its button and, also from a text of several lines, by Ctrl+Enter.
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
