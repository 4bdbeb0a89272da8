import { callsOf } from './description.js'
import { element } from './elements.js'
import { tryIt } from './try-it.js'

/**
 * Every call of a package, by what it is about.
 * @param {import('./description.js').Description} description
 * @param {string} address of the API
 * @param {import('./caller.js').Caller} caller
 * @returns {HTMLElement}
 */
export function operations(description, address, caller) {
  const calls = callsOf(description)
  if (calls.length === 0) return element('p', {}, 'This package serves nothing over REST.')
  const tags = [...new Set(calls.map(({ tag }) => tag))]
  return element(
    'div',
    {},
    ...tags.map(tag =>
      element(
        'section',
        {},
        element('h3', {}, tag),
        ...calls.filter(call => call.tag === tag).map(call => operation(call, address, caller)),
      ),
    ),
  )
}

/**
 * What is inside is made when it is first opened: an API may have thousands.
 * @param {import('./description.js').Call} call
 * @param {string} address
 * @param {import('./caller.js').Caller} caller
 * @returns {HTMLElement}
 */
function operation(call, address, caller) {
  const summary = element(
    'summary',
    {},
    element('span', { class: 'method' }, call.method),
    element('span', { class: 'path' }, call.path),
    element('span', { class: 'muted' }, call.summary),
  )
  const details = element('details', { class: 'operation' }, summary)
  details.addEventListener('toggle', () => details.append(tryIt(call, address, caller)), { once: true })
  return details
}
