// Sends what is written to the address at which the page is. What is typed stays in the page's memory and nowhere else.

import { signIn, toldOfRefusal, toldOfToken } from '/api-explorer/sign-in.js'
import { notGiven, takeAnswer } from '/api-explorer/token.js'

const address = location.pathname.replace(/\/$/, '')
const query = byId('query', HTMLTextAreaElement)
const variables = byId('variables', HTMLTextAreaElement)
const caller = byId('caller', HTMLElement)
const request = byId('request', HTMLFormElement)
const status = byId('status', HTMLElement)
const answer = byId('answer', HTMLElement)

/** Until it is known what the package lists. */
const anyQuery = '{\n  __schema {\n    queryType {\n      fields {\n        name\n      }\n    }\n  }\n}\n'
const namespace = decodeURIComponent(address.split('/')[2] ?? '')
/** What was shown of who one is; null: nothing. */
let authorization = /** @type {string | null} */ (null)

byId('address', HTMLElement).textContent = address
byId('explorer', HTMLAnchorElement).href = `/api-explorer?package=${encodeURIComponent(namespace)}`
void startSigningIn()
document.title = `GraphQL ${address}`
query.value = anyQuery

request.addEventListener('submit', event => {
  event.preventDefault()
  void run()
})
request.addEventListener('keydown', event => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  void run()
})
byId('show-schema', HTMLButtonElement).addEventListener('click', () => {
  void show(() => fetch(`${address}/schema.graphql`, { headers: headers() }))
})

/** How one signs in is the package's to say. */
async function startSigningIn() {
  try {
    const told = await takeToken()
    const { packages, issuer } = await (await fetch('/api-explorer/packages.json')).json()
    const running = packages.find((/** @type {{ namespace: string }} */ one) => one.namespace === namespace)
    if (running === undefined) return
    const made = signIn(running, issuer, given => {
      if (given === null) return
      authorization = given
      void beginQuery()
    })
    caller.replaceChildren(...(told === null ? [] : [told]), made)
    // Nobody is asked who they are for it.
    if (running.security === 'NONE' || authorization !== null) await beginQuery()
  } catch {
    caller.textContent = 'The instance cannot be reached.'
  }
}

/** A query of the package's own, where none was typed yet. */
async function beginQuery() {
  if (query.value !== anyQuery) return
  try {
    const answered = await fetch(`${address}/first-query.graphql`, { headers: headers() })
    const own = answered.ok ? await answered.text() : ''
    if (own !== '' && query.value === anyQuery) query.value = own
  } catch {
    // What is sent next says why.
  }
}

/** @returns {Promise<HTMLElement | null>} */
async function takeToken() {
  const taken = takeAnswer()
  if (taken === null) return null
  try {
    const token = await taken.token
    authorization = `Bearer ${token}`
    return toldOfToken(token, notGiven(token, taken.asked))
  } catch (error) {
    return toldOfRefusal(error)
  }
}

async function run() {
  const given = readVariables()
  if (given === undefined) return
  const sent = headers()
  sent.set('content-type', 'application/json')
  const body = `{"query":${JSON.stringify(query.value)},"variables":${given}}`
  await show(() => fetch(address, { method: 'POST', headers: sent, body }))
}

/** As they were written: a long number is not read and written again. */
function readVariables() {
  const text = variables.value.trim() === '' ? '{}' : variables.value
  try {
    JSON.parse(text)
    return text
  } catch {
    status.textContent = 'The variables are not valid JSON.'
    return undefined
  }
}

function headers() {
  return new Headers(authorization === null ? {} : { authorization })
}

/** @param {() => Promise<Response>} ask */
async function show(ask) {
  status.textContent = 'Asking…'
  try {
    const answered = await ask()
    const text = await answered.text()
    status.textContent = `${answered.status} ${answered.statusText}`.trim()
    answer.textContent = pretty(text)
  } catch {
    status.textContent = 'The instance cannot be reached.'
    answer.textContent = ''
  }
}

/** @param {string} text */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
function byId(id, kind) {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`The page has no ${id}.`)
  return found
}
