import { callsOf } from './description.js'
import { element } from './elements.js'
import { tryIt } from './try-it.js'

/**
 * Every call of a package, grouped by tag.
 * @param {import('./description.js').Description} description
 * @param {string} address of the API
 * @param {import('./caller.js').Caller} caller
 * @returns {HTMLElement}
 */
export function operations(description, address, caller) {
  const calls = callsOf(description)
  if (calls.length === 0) return element('p', {}, 'This package has no REST operations.')
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
 * The content is created when it is first opened, since an API may have thousands of calls.
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
