import { downloads } from './downloads.js'
import { element } from './elements.js'
import { operations } from './operations.js'
import { permissions } from './permissions.js'
import { signIn, toldOfRefusal, toldOfToken } from './sign-in.js'
import { notGiven, takeAnswer } from './token.js'

/** @typedef {import('./sign-in.js').Package} Package */

/** @type {Record<string, string>} */
const protocolWords = { GRAPHQL: 'GraphQL' }

/**
 * What was shown of who one is, by package. Kept in this page only.
 * @type {Map<string, string>}
 */
const shown = new Map()

const select = document.querySelector('select')
const main = document.querySelector('main')
if (select !== null && main !== null) void start(select, main)

/**
 * @param {HTMLSelectElement} chooser
 * @param {HTMLElement} place
 */
async function start(chooser, place) {
  try {
    const answer = await fetch('/api-explorer/packages.json')
    /** @type {{ packages: Package[], issuer: string | null }} */
    const { packages, issuer } = await answer.json()
    if (packages.length === 0)
      return say(place, 'No package is running on this instance. Publish one from the console, and start it.')
    chooser.append(...packages.map(({ namespace, name, version }) => optionOf(namespace, `${name} ${version}`)))
    chooser.disabled = false
    const told = await takeToken()
    const wanted = new URLSearchParams(location.search).get('package')
    // Who published it knows it by its name.
    const meant = packages.find(one => one.namespace === wanted) ?? packages.find(one => one.name === wanted)
    if (meant !== undefined) chooser.value = meant.namespace
    const open = () => {
      const running = packages.find(({ namespace }) => namespace === chooser.value)
      if (running) void show(running, issuer, place)
    }
    chooser.addEventListener('change', open)
    if (meant !== undefined || !wanted) open()
    else askWhich(chooser, place, wanted)
    if (told !== null) place.prepend(told)
  } catch {
    say(place, 'The instance could not be reached.')
  }
}

/**
 * Of a package that does not run no other is shown in its place.
 * @param {HTMLSelectElement} chooser
 * @param {HTMLElement} place
 * @param {string} wanted
 */
function askWhich(chooser, place, wanted) {
  chooser.prepend(element('option', { value: '', selected: true, disabled: true, hidden: true }, 'Choose a package'))
  say(place, `No package '${wanted}' is running on this instance. Choose one that is.`)
}

/**
 * Keeps the token that the issuer gave for this visit, if it did; answers what is to be said of it.
 * @returns {Promise<HTMLElement | null>}
 */
async function takeToken() {
  const answer = takeAnswer()
  if (answer === null) return null
  try {
    const token = await answer.token
    shown.set(answer.asked.namespace, `Bearer ${token}`)
    return toldOfToken(token, notGiven(token, answer.asked))
  } catch (error) {
    return toldOfRefusal(error)
  }
}

/**
 * @param {Package} running
 * @param {string | null} issuer
 * @param {HTMLElement} place
 */
async function show(running, issuer, place) {
  history.replaceState(null, '', `?package=${encodeURIComponent(running.namespace)}`)
  const authorization = () => shown.get(running.namespace) ?? null
  const calls = element('div', {}, element('p', { role: 'status' }, 'Loading…'))
  const again = () => void describe(running, authorization(), calls)
  const signedIn = (/** @type {string | null} */ given) => {
    if (given !== null) shown.set(running.namespace, given)
    again()
  }
  place.replaceChildren(
    element(
      'section',
      {},
      element('h2', {}, running.title),
      element(
        'p',
        { class: 'muted' },
        `${running.name} ${running.version} · ${running.protocols.map(protocol => protocolWords[protocol] ?? protocol).join(', ')}`,
      ),
    ),
    element(
      'section',
      { class: 'card', 'aria-label': 'Who is calling' },
      signIn(running, issuer, signedIn),
      ...(running.security === 'NONE' ? [] : [permissions(running.namespace, authorization)]),
    ),
    downloads(running, authorization),
    calls,
  )
  again()
}

/**
 * @param {Package} running
 * @param {string | null} authorization
 * @param {HTMLElement} place
 */
async function describe({ namespace, protocols }, authorization, place) {
  if (!protocols.includes('REST')) return say(place, 'This package serves nothing over REST.')
  try {
    const headers = authorization === null ? undefined : { authorization }
    const answer = await fetch(`/api/${encodeURIComponent(namespace)}/1.0/openapi.json`, {
      headers,
      credentials: 'omit',
    })
    const description = await answer.json()
    if (!answer.ok)
      return say(place, answer.status === 401 ? 'Sign in to see what this package serves.' : description.message)
    place.replaceChildren(operations(description, () => shown.get(namespace) ?? null))
  } catch {
    say(place, 'The instance could not be reached.')
  }
}

/**
 * @param {string} value
 * @param {string} text
 * @returns {HTMLOptionElement}
 */
function optionOf(value, text) {
  return element('option', { value }, text)
}

/**
 * @param {HTMLElement} place
 * @param {string} text
 */
function say(place, text) {
  place.replaceChildren(element('p', { role: 'status' }, text))
}
