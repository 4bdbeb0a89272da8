import { descriptionLine, messageOf } from './downloads.js'
import { element } from './elements.js'
import { operations } from './operations.js'

/**
 * The view of one protocol of a package. `load` fetches its content unless it is loaded.
 * @typedef {{ element: HTMLElement, load(): Promise<void> }} View
 */

/**
 * Every call of the REST API.
 * @param {import('./sign-in.js').Package} running
 * @param {import('./caller.js').Caller} caller
 * @returns {View}
 */
export function restView({ namespace }, caller) {
  const address = `/api/${encodeURIComponent(namespace)}/1.0`
  const path = `${address}/openapi.json`
  const calls = element('div', {}, element('p', { role: 'status' }, 'Loading…'))
  const described = descriptionLine({ label: 'OpenAPI', path, file: `${namespace}.openapi.json` }, caller)
  let isLoaded = false
  const load = async () => {
    if (isLoaded) return
    const answer = await caller.send(path)
    if (!answer.ok) return say(calls, await messageOf(answer, 'Sign in to see what this package serves.'))
    calls.replaceChildren(operations(await answer.json(), address, caller))
    isLoaded = true
  }
  return {
    element: element('div', {}, described, calls),
    load: () => load().catch(() => say(calls, 'The instance could not be reached.')),
  }
}

/**
 * @param {HTMLElement} place
 * @param {string} text
 */
function say(place, text) {
  place.replaceChildren(element('p', { role: 'status' }, text))
}
