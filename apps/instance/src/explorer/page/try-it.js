import { sampleOf } from './description.js'
import { element, labelled } from './elements.js'

/**
 * @typedef {import('./description.js').Call} Call
 * @typedef {import('./description.js').Parameter} Parameter
 * @typedef {{ parameter: Parameter, control: HTMLInputElement }} Field
 */

/**
 * The fields of a call, its button, and its last answer.
 * @param {Call} call
 * @param {string} server
 * @param {() => string | null} authorization
 * @returns {HTMLElement}
 */
export function tryIt(call, server, authorization) {
  const fields = call.parameters.map(parameter => ({ parameter, control: controlOf(parameter) }))
  const body = call.body === null ? null : element('textarea', { spellcheck: false, rows: '8' }, sampleOf(call.body))
  const answer = element('div', { 'aria-live': 'polite' })
  const button = element('button', { type: 'submit' }, 'Send')
  const form = element(
    'form',
    { class: 'inside' },
    element('div', { class: 'fields' }, ...fields.map(({ parameter, control }) => fieldOf(parameter, control))),
    ...(body === null ? [] : [labelled('Body', body, 'JSON')]),
    element('div', { class: 'row' }, button),
    answer,
  )
  form.addEventListener('submit', event => {
    event.preventDefault()
    void send(button, answer, server + addressOf(call, fields), call.method, body?.value ?? null, authorization())
  })
  return form
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

/**
 * @param {HTMLButtonElement} button
 * @param {HTMLElement} answer
 * @param {string} address
 * @param {string} method
 * @param {string | null} body
 * @param {string | null} authorization
 */
async function send(button, answer, address, method, body, authorization) {
  button.disabled = true
  const from = performance.now()
  try {
    const headers = {
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(authorization === null ? {} : { authorization }),
    }
    /** @type {RequestInit} */
    const request = { method, headers, credentials: 'omit' }
    const response = await fetch(address, body === null ? request : { ...request, body })
    const text = await response.text()
    show(answer, `${method} ${address}`, response, text, performance.now() - from)
  } catch {
    answer.replaceChildren(element('p', { class: 'bad' }, 'The instance could not be reached.'))
  } finally {
    button.disabled = false
  }
}

/**
 * @param {HTMLElement} answer
 * @param {string} request
 * @param {Response} response
 * @param {string} text
 * @param {number} took milliseconds
 */
function show(answer, request, { ok, status, headers }, text, took) {
  const isJson = headers.get('content-type')?.includes('json') ?? false
  answer.replaceChildren(
    element('p', { class: 'muted path' }, request),
    element('p', { class: ok ? 'good' : 'bad' }, `${status} in ${Math.round(took)} ms`),
    element('pre', { tabindex: '0', role: 'region', 'aria-label': 'Answer' }, isJson ? indented(text) : text),
  )
}

/**
 * Indented without being read, so that long numbers stay as they came.
 * @param {string} text
 * @returns {string}
 */
function indented(text) {
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? []
  return tokens
    .map((token, index) => {
      const next = tokens[index + 1]
      if (token === '{' || token === '[') {
        if (next === '}' || next === ']') return token
        depth += 1
        return token + line()
      }
      if (token === ',') return token + line()
      if (token === ':') return ': '
      const before = tokens[index - 1]
      if ((token === '}' || token === ']') && before !== '{' && before !== '[') {
        depth -= 1
        return line() + token
      }
      return token
    })
    .join('')
}
