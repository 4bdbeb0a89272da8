import { element } from './elements.js'
import { permissions } from './permissions.js'
import { getToken, missingScopes, problemOf, signInForms } from './sign-in.js'
import { canRequestToken } from './token.js'

/**
 * @typedef {import('./sign-in.js').SignInContext} SignInContext
 * @typedef {import('./sign-ins.js').SignIn} SignIn
 * @typedef {{ element: HTMLElement, update(problem?: string): void }} CallerCard
 */

/**
 * Shows who calls: the sign-in forms, or the user and the expiry of the sign-in.
 * @param {SignInContext} context
 * @param {import('./caller.js').Caller} caller
 * @param {{ onSignIn(signIn: SignIn): void, onSignOut(): void }} events
 * @returns {CallerCard}
 */
export function callerCard(context, caller, events) {
  const status = element('p', { role: 'status', tabindex: '-1' })
  const card = element('section', { class: 'card caller', 'aria-label': 'Who is calling' }, status)
  const say = (/** @type {string} */ text, isBad = false) => {
    status.className = isBad ? 'bad' : ''
    status.textContent = text
  }
  // Screen readers announce changes of a live region only if it is not removed from the document.
  const fill = (/** @type {HTMLElement[]} */ ...content) => {
    while (status.nextSibling !== null) status.nextSibling.remove()
    card.append(...content)
  }
  const update = (problem = '') => {
    const hadFocus = card.contains(document.activeElement)
    const signIn = caller.signIn()
    if (context.running.security === 'NONE') return say('This package needs no sign-in.')
    if (signIn === null) {
      say(problem, problem !== '')
      fill(signInForms(context, events.onSignIn, text => say(text, true)))
      if (hadFocus) card.querySelector('button')?.focus()
    } else {
      say(`${problem} ${signedInText(signIn)}`.trim(), problem !== '')
      fill(...signedIn(context, signIn, caller, events.onSignOut, text => say(text, true)))
      if (hadFocus) status.focus()
    }
  }
  return { element: card, update }
}

/** @param {SignIn} signIn */
function signedInText({ name, expires }) {
  const who = name === '' ? 'Signed in' : `Signed in as ${name}`
  return expires === null ? `${who}, until you leave or reload this page.` : `${who} until ${timeOf(expires)}.`
}

/** @param {number} moment */
function timeOf(moment) {
  const isSoon = moment - Date.now() < 12 * 3_600_000
  return new Date(moment).toLocaleString(
    [],
    isSoon ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' },
  )
}

/**
 * @param {SignInContext} context
 * @param {SignIn} signIn
 * @param {import('./caller.js').Caller} caller
 * @param {() => void} onSignOut
 * @param {(problem: string) => void} onProblem
 * @returns {HTMLElement[]}
 */
function signedIn(context, signIn, caller, onSignOut, onProblem) {
  const { running, issuer } = context
  const plain = (/** @type {string} */ text, /** @type {() => void} */ onclick) =>
    element('button', { type: 'button', class: 'quiet', onclick }, text)
  const missing = missingScopes(signIn, running)
  const isIssued = running.security === 'OAUTH2' && running.identityProvider === 'CADMUS'
  const again = () => void getToken(context, signIn).catch(error => onProblem(problemOf(error)))
  const calls = permissions(running.namespace, caller)
  const buttons = [
    ...(running.security === 'OAUTH2' ? [copyButton(signIn)] : []),
    ...(isIssued && issuer !== null && canRequestToken() ? [plain('Get another token', again)] : []),
    calls.button,
    plain('Sign out', onSignOut),
  ]
  const remark = `The token lacks ${missing.join(', ')}. Get another token as a user with access.`
  return [
    element('div', { class: 'row' }, ...buttons),
    ...(missing.length === 0 ? [] : [element('p', { class: 'muted' }, remark)]),
    calls.answer,
  ]
}

/**
 * Copies the token for use in other tools.
 * @param {SignIn} signIn
 */
function copyButton({ authorization }) {
  const copy = element('button', { type: 'button', class: 'quiet' }, 'Copy token')
  copy.addEventListener('click', () => {
    navigator.clipboard.writeText(authorization.replace(/^Bearer /, '')).then(
      () => (copy.textContent = 'Copied'),
      () => (copy.textContent = 'Copy failed'),
    )
  })
  return copy
}
