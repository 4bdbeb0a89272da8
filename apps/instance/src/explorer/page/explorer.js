import { element } from './elements.js'
import { PackagePage } from './package-page.js'
import { problemOf } from './sign-in.js'
import { createSignIns, realmOf, signInByToken } from './sign-ins.js'
import { takeAnswer } from './token.js'

/**
 * @typedef {import('./sign-in.js').Package} Package
 * @typedef {{ packages: Package[], issuer: string | null }} Served
 */

const signIns = createSignIns(sessionStorage, Date.now)
const chooser = document.querySelector('select')
const main = document.querySelector('main')
/** @type {PackagePage | null} */
let page = null
if (chooser !== null && main !== null) void start(chooser, main)

/**
 * @param {HTMLSelectElement} select
 * @param {HTMLElement} place
 */
async function start(select, place) {
  try {
    const problem = await takeToken()
    const named = new URLSearchParams({ package: new URLSearchParams(location.search).get('package') ?? '' })
    const answer = await fetch(`/api-explorer/packages.json?${named}`)
    /** @type {Served} */
    const served = await answer.json()
    if (served.packages.length === 0)
      return say(
        place,
        'No public package is running. Publish and start one from the console, or open yours by its address: /api-explorer?package=…',
      )
    select.append(...served.packages.map(({ namespace, name, version }) => optionOf(namespace, `${name} ${version}`)))
    select.disabled = false
    select.addEventListener('change', () => show(served, select.value, place, ''))
    window.addEventListener('popstate', () => showAddressed(served, select, place, ''))
    place.addEventListener('click', follow)
    showAddressed(served, select, place, problem)
  } catch {
    say(place, 'The instance could not be reached.')
  }
}

/**
 * Shows the package that the address names, or the first one if it names none.
 * @param {Served} served
 * @param {HTMLSelectElement} select
 * @param {HTMLElement} place
 * @param {string} problem
 */
function showAddressed(served, select, place, problem) {
  const { packages } = served
  const requested = new URLSearchParams(location.search).get('package')
  // Users know their package by its name.
  const named = packages.find(one => one.namespace === requested) ?? packages.find(one => one.name === requested)
  const chosen = requested === null || requested === '' ? packages[0] : named
  if (chosen !== undefined) {
    select.value = chosen.namespace
    return show(served, chosen.namespace, place, problem)
  }
  select.prepend(element('option', { value: '', selected: true, disabled: true, hidden: true }, 'Choose a package'))
  say(place, `No package '${requested}' is running on this instance. Choose another one.`)
}

/**
 * @param {Served} served
 * @param {string} namespace
 * @param {HTMLElement} place
 * @param {string} problem
 */
function show({ packages, issuer }, namespace, place, problem) {
  const running = packages.find(one => one.namespace === namespace)
  if (running === undefined) return
  if (page?.namespace !== namespace) {
    page?.close()
    const realm = realmOf(running, issuer, location.origin)
    page = new PackagePage({ running, issuer, realm }, signIns, word => addressOf(namespace, word))
    page.showIn(place, problem)
  }
  const word = page.open(new URLSearchParams(location.search).get('protocol'))
  history.replaceState(null, '', addressOf(namespace, word))
}

/**
 * Switches the view without leaving the page, which preserves input.
 * @param {Event} event
 */
function follow(event) {
  const link = event.target instanceof Element ? event.target.closest('nav a') : null
  if (!(event instanceof MouseEvent) || !(link instanceof HTMLAnchorElement)) return
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  if (link.href !== location.href) history.pushState(null, '', link.href)
  page?.open(new URL(link.href).searchParams.get('protocol'))
}

/**
 * @param {string} namespace
 * @param {string} word of a protocol
 */
function addressOf(namespace, word) {
  const query = new URLSearchParams({ package: namespace, ...(word === 'rest' ? {} : { protocol: word }) })
  return `/api-explorer?${query}`
}

/**
 * Stores the token issued for this visit, if any. Returns the problem, or ''.
 * @returns {Promise<string>}
 */
async function takeToken() {
  const answer = takeAnswer()
  if (answer === null) return ''
  try {
    signIns.add(answer.realm, signInByToken(await answer.token))
    return ''
  } catch (error) {
    return problemOf(error)
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
