import { callsOf } from './description.js'
import { element } from './elements.js'
import { tryIt } from './try-it.js'

/**
 * Every call of a package, by what it is about.
 * @param {import('./description.js').Description} description
 * @param {() => string | null} authorization
 * @returns {HTMLElement}
 */
export function operations(description, authorization) {
  const calls = callsOf(description)
  if (calls.length === 0) return element('p', {}, 'This package serves nothing over REST.')
  const tags = [...new Set(calls.map(({ tag }) => tag))]
  const server = description.servers[0]?.url ?? ''
  return element(
    'div',
    {},
    ...tags.map(tag =>
      element(
        'section',
        {},
        element('h3', {}, tag),
        ...calls.filter(call => call.tag === tag).map(call => operation(call, server, authorization)),
      ),
    ),
  )
}

/**
 * What is inside is made when it is first opened: an API may have thousands.
 * @param {import('./description.js').Call} call
 * @param {string} server
 * @param {() => string | null} authorization
 * @returns {HTMLElement}
 */
function operation(call, server, authorization) {
  const summary = element(
    'summary',
    {},
    element('span', { class: 'method' }, call.method),
    element('span', { class: 'path' }, call.path),
    element('span', { class: 'muted' }, call.summary),
  )
  const details = element('details', { class: 'operation' }, summary)
  details.addEventListener('toggle', () => details.append(tryIt(call, server, authorization)), { once: true })
  return details
}
