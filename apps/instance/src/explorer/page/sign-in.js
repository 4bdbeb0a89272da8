import { element, labelled } from './elements.js'
import { signInByToken } from './sign-ins.js'
import { requestToken, canRequestToken } from './token.js'

/**
 * `globalScopes`: each of them allows everything.
 * @typedef {{ name: string, namespace: string, title: string, version: string, protocols: string[], security: 'NONE' | 'BASIC' | 'OAUTH2', identityProvider: 'CADMUS' | 'MARTINI_USER_DIRECTORY', scopes: string[], globalScopes: string[] }} Package
 * @typedef {import('./sign-ins.js').SignIn} SignIn
 * @typedef {{ running: Package, issuer: string | null, realm: string }} SignInContext
 */

/**
 * The sign-in forms of a package.
 * @param {SignInContext} context
 * @param {(signIn: SignIn) => void} onSignIn throws if the sign-in has expired
 * @param {(problem: string) => void} onProblem
 * @returns {HTMLElement}
 */
export function signInForms(context, onSignIn, onProblem) {
  const { security, identityProvider } = context.running
  if (security === 'BASIC') return passwordForm(onSignIn, onProblem)
  return identityProvider === 'CADMUS' ? issuerForms(context, onSignIn, onProblem) : directoryForm(onSignIn, onProblem)
}

/**
 * Goes to the issuer for a token with the package's scopes. It keeps the scopes of the replaced token, which other
 * packages may use.
 * @param {SignInContext} context
 * @param {SignIn | null} before
 */
export async function getToken({ running, issuer, realm }, before) {
  if (issuer === null) return
  const scopes = new Set([...running.scopes, ...(before?.scopes ?? [])])
  await requestToken({ issuer, scopes: [...scopes] }, realm)
}

/**
 * The scopes of the package that a token lacks, unless it allows everything.
 * @param {SignIn} signIn
 * @param {Package} running
 * @returns {readonly string[]}
 */
export function missingScopes({ scopes }, running) {
  if (scopes === null || running.globalScopes.some(one => scopes.includes(one))) return []
  return running.scopes.filter(one => !scopes.includes(one))
}

/**
 * @param {(signIn: SignIn) => void} onSignIn
 * @param {(problem: string) => void} onProblem
 * @returns {HTMLElement}
 */
function passwordForm(onSignIn, onProblem) {
  const name = field('text', 'username')
  const password = field('password', 'current-password')
  return form('Sign in', [labelled('User name', name), labelled('Password', password)], onProblem, async () => {
    const bytes = new TextEncoder().encode(`${name.value}:${password.value}`)
    const authorization = `Basic ${btoa(String.fromCharCode(...bytes))}`
    onSignIn({ authorization, name: name.value, expires: null, scopes: null })
  })
}

/**
 * @param {(signIn: SignIn) => void} onSignIn
 * @param {(problem: string) => void} onProblem
 * @returns {HTMLElement}
 */
function directoryForm(onSignIn, onProblem) {
  const name = field('text', 'username')
  const password = field('password', 'current-password')
  const client = field('text', 'off', 'TOROMartini')
  const secret = field('password', 'off', 'TOROMartini')
  const fields = [
    labelled('User name', name),
    labelled('Password', password),
    labelled('Client ID', client),
    labelled('Client secret', secret),
  ]
  return form('Get a token', fields, onProblem, async () => {
    const body = new URLSearchParams({
      grant_type: 'password',
      username: name.value,
      password: password.value,
      client_id: client.value,
      client_secret: secret.value,
    })
    const answer = await fetch('/oauth/token', { method: 'POST', body, credentials: 'omit' })
    /** @type {{ access_token?: string, expires_in?: number, error_description?: string, message?: string }} */
    const token = await answer.json()
    if (token.access_token === undefined)
      throw new Error(token.error_description ?? token.message ?? 'The server returned no token.')
    onSignIn({
      authorization: `Bearer ${token.access_token}`,
      name: name.value,
      expires: token.expires_in === undefined ? null : Date.now() + token.expires_in * 1000,
      scopes: null,
    })
  })
}

/**
 * @param {SignInContext} context
 * @param {(signIn: SignIn) => void} onSignIn
 * @param {(problem: string) => void} onProblem
 * @returns {HTMLElement}
 */
function issuerForms(context, onSignIn, onProblem) {
  const token = field('password', 'off')
  const pasted = form('Use this token', [labelled('Access token', token)], onProblem, async () => {
    onSignIn(signInByToken(token.value.trim()))
  })
  if (context.issuer === null) {
    pasted.prepend(note('This instance has no identity provider, so no token gives access to this package.'))
    return pasted
  }
  pasted.prepend(note(`A token of ${context.issuer} for ${location.origin}.`))
  if (!canRequestToken()) return pasted
  pasted.querySelector('button')?.classList.add('plain')
  return element(
    'div',
    {},
    form('Get a token', [], onProblem, () => getToken(context, null)),
    element('details', { class: 'below' }, element('summary', {}, 'Use an existing token'), pasted),
  )
}

/** @param {string} text */
function note(text) {
  return element('p', { class: 'muted' }, text)
}

/**
 * @param {string} button
 * @param {HTMLElement[]} fields
 * @param {(problem: string) => void} onProblem
 * @param {() => Promise<void>} submit
 * @returns {HTMLElement}
 */
function form(button, fields, onProblem, submit) {
  const made = element(
    'form',
    {},
    ...(fields.length === 0 ? [] : [element('div', { class: 'fields' }, ...fields)]),
    element('div', { class: 'row' }, element('button', { type: 'submit' }, button)),
  )
  made.addEventListener('submit', event => {
    event.preventDefault()
    submit().catch(error => onProblem(problemOf(error)))
  })
  return made
}

/**
 * @param {unknown} error
 * @returns {string}
 */
export function problemOf(error) {
  const isMessage = error instanceof Error && !(error instanceof TypeError)
  return isMessage ? error.message : 'The server could not be reached. Try again.'
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
