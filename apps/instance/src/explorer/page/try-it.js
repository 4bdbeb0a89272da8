import { answerBox, showAnswer } from './answer.js'
import { sampleOf } from './description.js'
import { element, labelled } from './elements.js'

/**
 * @typedef {import('./description.js').Call} Call
 * @typedef {import('./description.js').Parameter} Parameter
 * @typedef {{ parameter: Parameter, control: HTMLInputElement }} Field
 */

/**
 * A form with the parameters and the body of a call, and the last answer.
 * @param {Call} call
 * @param {string} address of the API
 * @param {import('./caller.js').Caller} caller
 * @returns {HTMLElement}
 */
export function tryIt(call, address, caller) {
  const fields = call.parameters.map(parameter => ({ parameter, control: controlOf(parameter) }))
  const body = call.body === null ? null : element('textarea', { spellcheck: false, rows: '8' }, sampleOf(call.body))
  const sent = element('p', { class: 'muted path' })
  const answer = answerBox()
  const button = element('button', { type: 'submit' }, 'Send')
  const form = element(
    'form',
    { class: 'inside' },
    element('div', { class: 'fields' }, ...fields.map(({ parameter, control }) => fieldOf(parameter, control))),
    ...(body === null ? [] : [labelled('Body', body, 'JSON')]),
    element('div', { class: 'row' }, button),
    sent,
    answer.element,
  )
  form.addEventListener('submit', event => {
    event.preventDefault()
    const path = address + addressOf(call, fields)
    sent.textContent = `${call.method} ${path}`
    button.disabled = true
    const request = requestOf(call.method, body?.value ?? null)
    void showAnswer(answer, () => caller.send(path, request)).finally(() => (button.disabled = false))
  })
  return form
}

/**
 * @param {string} method
 * @param {string | null} body
 * @returns {RequestInit}
 */
function requestOf(method, body) {
  return body === null ? { method } : { method, body, headers: { 'content-type': 'application/json' } }
}

/**
 * @param {Parameter} parameter
 * @returns {HTMLInputElement}
 */
function controlOf({ in: place, style, schema }) {
  const placeholder = style === 'deepObject' ? 'filter[name]=value&filter[age][gt]=3' : String(schema?.default ?? '')
  return element('input', { type: 'text', required: place === 'path', placeholder, autocomplete: 'off' })
}

/**
 * @param {Parameter} parameter
 * @param {HTMLInputElement} control
 * @returns {HTMLElement}
 */
function fieldOf({ name, in: place }, control) {
  return labelled(name, control, place === 'path' ? 'in the address' : '')
}

/**
 * @param {Call} call
 * @param {Field[]} fields
 * @returns {string}
 */
function addressOf({ path }, fields) {
  const query = new URLSearchParams()
  let address = path
  for (const { parameter, control } of fields) {
    const value = control.value.trim()
    if (parameter.in === 'path') address = address.replace(`{${parameter.name}}`, encodeURIComponent(value))
    else if (value !== '' && parameter.style === 'deepObject') {
      for (const [name, one] of new URLSearchParams(value)) query.append(name, one)
    } else if (value !== '') query.append(parameter.name, value)
  }
  const text = query.toString()
  return text === '' ? address : `${address}?${text}`
}
