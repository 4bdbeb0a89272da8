import { element } from './elements.js'

/**
 * `scopes`: the caller needs one of them.
 * @typedef {{ method: string, path: string, may: boolean, scopes: string[] }} Call
 */

/**
 * A button that lists the calls the caller is allowed to make. The instance decides, with the same checks as for real
 * calls.
 * @param {string} namespace
 * @param {import('./caller.js').Caller} caller
 * @returns {{ button: HTMLElement, answer: HTMLElement }}
 */
export function permissions(namespace, caller) {
  const answer = element('div', { 'aria-live': 'polite' })
  const onclick = () => void load(namespace, caller, answer)
  const button = element('button', { type: 'button', class: 'quiet', onclick }, 'What may this token call?')
  return { button, answer }
}

/**
 * @param {string} namespace
 * @param {import('./caller.js').Caller} caller
 * @param {HTMLElement} answer
 */
async function load(namespace, caller, answer) {
  try {
    const response = await caller.send(`/api-explorer/calls/${encodeURIComponent(namespace)}`)
    /** @type {{ caller?: string, calls?: Call[], message?: string }} */
    const { caller: name = '', calls, message = 'The instance returned no list of calls.' } = await response.json()
    if (calls === undefined) answer.replaceChildren(element('p', { class: 'bad' }, message))
    else answer.replaceChildren(element('p', {}, `${name} may call:`), tableOf(calls))
  } catch {
    answer.replaceChildren(element('p', { class: 'bad' }, 'The instance could not be reached.'))
  }
}

/**
 * @param {Call[]} calls
 * @returns {HTMLElement}
 */
function tableOf(calls) {
  const head = ['Method', 'Address', 'Allowed'].map(text => element('th', { scope: 'col' }, text))
  const rows = calls.map(({ method, path, may, scopes }) =>
    element(
      'tr',
      {},
      element('td', { class: 'method' }, method),
      element('td', { class: 'path' }, path),
      element('td', { class: may ? 'good' : 'bad' }, may ? 'Yes' : lackOf(scopes)),
    ),
  )
  const table = element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...rows))
  return element('div', { class: 'long', tabindex: '0', role: 'region', 'aria-label': 'Calls' }, table)
}

/** @param {string[]} scopes */
function lackOf(scopes) {
  return `No: needs ${scopes.length > 1 ? 'one of ' : ''}${scopes.join(', ')}`
}
