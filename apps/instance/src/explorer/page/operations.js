import { callsOf } from './description.js'
import { element, labelled } from './elements.js'
import { tryIt } from './try-it.js'

/** With more calls, they can be filtered. */
const few = 6

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
  const rows = calls.map(call => ({ call, row: operation(call, address, caller) }))
  const sections = [...new Set(calls.map(({ tag }) => tag))].map(tag => {
    const own = rows.filter(({ call }) => call.tag === tag)
    return { rows: own, section: element('section', {}, element('h3', {}, tag), ...own.map(({ row }) => row)) }
  })
  const shown = sections.map(({ section }) => section)
  return calls.length > few
    ? element('div', {}, filterOf(sections, calls.length), ...shown)
    : element('div', {}, ...shown)
}

/**
 * A field that shows only the calls that contain each typed word.
 * @param {{ section: HTMLElement, rows: { call: import('./description.js').Call, row: HTMLElement }[] }[]} sections
 * @param {number} count of all calls
 * @returns {HTMLElement}
 */
function filterOf(sections, count) {
  const input = element('input', { type: 'search', autocomplete: 'off', spellcheck: 'false' })
  const status = element('p', { role: 'status', class: 'muted' }, `${count} operations`)
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/)
    let left = 0
    for (const { section, rows } of sections) {
      for (const { call, row } of rows) row.hidden = !contains(call, words)
      const visible = rows.filter(({ row }) => !row.hidden).length
      section.hidden = visible === 0
      left += visible
    }
    status.textContent = left === count ? `${count} operations` : `${left} of ${count} operations`
  })
  return element('div', { class: 'filter' }, labelled('Filter operations', input), status)
}

/**
 * @param {import('./description.js').Call} call
 * @param {string[]} words
 * @returns {boolean}
 */
function contains({ method, path, tag, summary }, words) {
  const text = `${method} ${path} ${tag} ${summary}`.toLowerCase()
  return words.every(word => text.includes(word))
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
