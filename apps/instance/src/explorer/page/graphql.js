import { answerBox, showAnswer } from './answer.js'
import { descriptionLine } from './downloads.js'
import { element, labelled, onRun } from './elements.js'

/** Shown until the first query of the package is loaded. */
const anyQuery = '{\n  __schema {\n    queryType {\n      fields {\n        name\n      }\n    }\n  }\n}\n'

/**
 * Editors for a query and its variables, and the answer.
 * @param {import('./sign-in.js').Package} running
 * @param {import('./caller.js').Caller} caller
 * @returns {import('./rest.js').View}
 */
export function graphQlView({ namespace }, caller) {
  const address = `/graphql/${encodeURIComponent(namespace)}/1.0`
  const path = `${address}/schema.graphql`
  const query = element('textarea', { rows: '16', spellcheck: 'false', autocomplete: 'off' }, anyQuery)
  const variables = element('textarea', { rows: '5', spellcheck: 'false', autocomplete: 'off' }, '{}')
  const answer = answerBox('No request sent yet.')
  const showSchema = () => void showAnswer(answer, () => caller.send(path))
  const form = element(
    'form',
    { 'aria-label': 'Request' },
    labelled('Query', query),
    labelled('Variables', variables, 'JSON'),
    element(
      'div',
      { class: 'row' },
      element('button', { type: 'submit' }, 'Run ', element('kbd', {}, 'Ctrl+Enter')),
      element('button', { type: 'button', class: 'plain', onclick: showSchema }, 'Schema'),
    ),
  )
  onRun(form, () => {
    const text = variables.value.trim() === '' ? '{}' : variables.value
    if (!isJson(text)) return answer.say('The variables are not valid JSON.', true)
    // The text is inserted unparsed so that long numbers keep their digits.
    const body = `{"query":${JSON.stringify(query.value)},"variables":${text}}`
    const headers = { 'content-type': 'application/json' }
    void showAnswer(answer, () => caller.send(address, { method: 'POST', headers, body }))
  })
  const described = descriptionLine({ label: 'GraphQL schema', path, file: `${namespace}.graphql` }, caller)
  const panes = element('div', { class: 'panes' }, form, answer.element)
  return { element: element('div', {}, described, panes), load: () => showFirstQuery(address, caller, query) }
}

/**
 * Shows the first query of the package unless the user has typed one or is about to.
 * @param {string} address
 * @param {import('./caller.js').Caller} caller
 * @param {HTMLTextAreaElement} query
 */
async function showFirstQuery(address, caller, query) {
  if (query.value !== anyQuery) return
  try {
    const answer = await caller.send(`${address}/first-query.graphql`)
    const own = answer.ok ? await answer.text() : ''
    const isUntouched = query.value === anyQuery && document.activeElement !== query
    if (own !== '' && isUntouched) query.value = own
  } catch {
    // The next request reports the problem.
  }
}

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
