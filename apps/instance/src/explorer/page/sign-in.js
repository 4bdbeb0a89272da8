import { element, labelled } from './elements.js'
import { askForToken, canAsk } from './token.js'

/**
 * @typedef {{ name: string, namespace: string, title: string, version: string, protocols: string[], security: 'NONE' | 'BASIC' | 'OAUTH2', identityProvider: 'CADMUS' | 'MARTINI_USER_DIRECTORY', scopes: string[], globalScopes: string[] }} Package
 * @typedef {(authorization: string | null) => void} SignedIn
 */

/**
 * How one shows who one is, as the package asks for it. What is typed stays in this page, until it is left.
 * @param {Package} running
 * @param {string | null} issuer
 * @param {SignedIn} signedIn
 * @returns {HTMLElement}
 */
export function signIn(running, issuer, signedIn) {
  if (running.security === 'NONE') return element('p', { class: 'muted' }, 'Anybody may call this package.')
  if (running.security === 'BASIC') return basic(signedIn)
  return running.identityProvider === 'CADMUS' ? issued(running, issuer, signedIn) : directory(signedIn)
}

/**
 * What is said of a token that came, which other tools may want as well; what the user was refused comes with no other token of theirs.
 * @param {string} token
 * @param {readonly string[]} refused
 * @returns {HTMLElement}
 */
export function toldOfToken(token, refused) {
  const more =
    refused.length === 0 ? '' : ` It lacks ${refused.join(', ')}: get another one as somebody who may have that.`
  const told = element('p', { class: refused.length === 0 ? 'good' : '', role: 'status' }, `You have a token.${more}`)
  const copy = element('button', { type: 'button', class: 'plain' }, 'Copy it')
  copy.addEventListener('click', () => {
    navigator.clipboard.writeText(token).then(
      () => (copy.textContent = 'Copied'),
      () => (copy.textContent = 'It could not be copied'),
    )
  })
  return element('div', { class: 'row told' }, told, copy)
}

/**
 * Why none came.
 * @param {unknown} error
 * @returns {HTMLElement}
 */
export function toldOfRefusal(error) {
  const isSaid = error instanceof Error && !(error instanceof TypeError)
  const text = isSaid ? error.message : 'The identity provider could not be reached.'
  return element('p', { class: 'bad', role: 'status' }, text)
}

/**
 * @param {SignedIn} signedIn
 * @returns {HTMLElement}
 */
function basic(signedIn) {
  const name = field('text', 'username')
  const password = field('password', 'current-password')
  const status = statusLine()
  return form('Sign in', status, [labelled('User name', name), labelled('Password', password)], async () => {
    const bytes = new TextEncoder().encode(`${name.value}:${password.value}`)
    signedIn(`Basic ${btoa(String.fromCharCode(...bytes))}`)
  })
}

/**
 * @param {SignedIn} signedIn
 * @returns {HTMLElement}
 */
function directory(signedIn) {
  const name = field('text', 'username')
  const password = field('password', 'current-password')
  const client = field('text', 'off', 'TOROMartini')
  const secret = field('password', 'off', 'TOROMartini')
  const status = statusLine()
  const fields = [
    labelled('User name', name),
    labelled('Password', password),
    labelled('Client ID', client),
    labelled('Client secret', secret),
  ]
  return form('Get a token', status, fields, async () => {
    const body = new URLSearchParams({
      grant_type: 'password',
      username: name.value,
      password: password.value,
      client_id: client.value,
      client_secret: secret.value,
    })
    const answer = await fetch('/oauth/token', { method: 'POST', body, credentials: 'omit' })
    /** @type {{ access_token?: string, error_description?: string, message?: string }} */
    const token = await answer.json()
    if (token.access_token === undefined)
      throw new Error(token.error_description ?? token.message ?? 'No token was given.')
    signedIn(`Bearer ${token.access_token}`)
  })
}

/**
 * @param {Package} running
 * @param {string | null} issuer
 * @param {SignedIn} signedIn
 * @returns {HTMLElement}
 */
function issued({ namespace, scopes, globalScopes }, issuer, signedIn) {
  const token = field('password', 'off')
  const status = statusLine()
  const made = form('Use this token', status, [labelled('Access token', token)], async () => {
    signedIn(`Bearer ${token.value.trim()}`)
  })
  if (issuer === null) {
    made.prepend(note('This instance has no identity provider, so no token opens this package.'))
    return made
  }
  made.prepend(note(`Or put in one that ${issuer} made for ${location.origin}.`))
  if (!canAsk()) return made
  made.querySelector('button')?.classList.add('plain')
  const asking = form(
    'Get a token',
    statusLine(),
    [],
    () => askForToken({ issuer, namespace, scopes, globalScopes }),
    '',
  )
  return element('div', { class: 'ways' }, asking, made)
}

/** @param {string} text */
function note(text) {
  return element('p', { class: 'muted' }, text)
}

/**
 * @param {string} button
 * @param {HTMLElement} status
 * @param {HTMLElement[]} fields
 * @param {() => Promise<void>} submit
 * @param {string} [done]
 * @returns {HTMLElement}
 */
function form(button, status, fields, submit, done = 'Calls of this page show it from now on.') {
  const made = element(
    'form',
    {},
    ...(fields.length === 0 ? [] : [element('div', { class: 'fields' }, ...fields)]),
    element('div', { class: 'row' }, element('button', { type: 'submit' }, button), status),
  )
  made.addEventListener('submit', event => {
    event.preventDefault()
    status.textContent = ''
    submit().then(
      () => tell(status, 'good', done),
      error =>
        tell(status, 'bad', error instanceof TypeError ? 'The instance could not be reached.' : String(error.message)),
    )
  })
  return made
}

function statusLine() {
  return element('span', { role: 'status' })
}

/**
 * @param {HTMLElement} status
 * @param {'good' | 'bad'} how
 * @param {string} text
 */
function tell(status, how, text) {
  status.className = how
  status.textContent = text
}

/**
 * @param {string} type
 * @param {string} autocomplete
 * @param {string} [value]
 * @returns {HTMLInputElement}
 */
function field(type, autocomplete, value = '') {
  return element('input', { type, autocomplete, value, required: true, spellcheck: 'false' })
}
