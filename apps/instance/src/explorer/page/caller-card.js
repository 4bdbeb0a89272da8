import { element } from './elements.js'
import { permissions } from './permissions.js'
import { getToken, lackedScopes, problemOf, signInForms } from './sign-in.js'
import { canAsk } from './token.js'

/**
 * @typedef {import('./sign-in.js').Door} Door
 * @typedef {import('./sign-ins.js').SignIn} SignIn
 * @typedef {{ element: HTMLElement, update(problem?: string): void }} CallerCard
 */

/**
 * Who calls: the way to sign in, or who is signed in and until when.
 * @param {Door} door
 * @param {import('./caller.js').Caller} caller
 * @param {{ onSignIn(signIn: SignIn): void, onSignOut(): void }} events
 * @returns {CallerCard}
 */
export function callerCard(door, caller, events) {
  const status = element('p', { role: 'status', tabindex: '-1' })
  const card = element('section', { class: 'card caller', 'aria-label': 'Who is calling' }, status)
  const say = (/** @type {string} */ text, isBad = false) => {
    status.className = isBad ? 'bad' : ''
    status.textContent = text
  }
  // The status stays where it is, or it would not be announced.
  const fill = (/** @type {HTMLElement[]} */ ...content) => {
    while (status.nextSibling !== null) status.nextSibling.remove()
    card.append(...content)
  }
  const update = (problem = '') => {
    const hadFocus = card.contains(document.activeElement)
    const signIn = caller.signIn()
    if (door.running.security === 'NONE') return say('Anybody may call this package.')
    if (signIn === null) {
      say(problem, problem !== '')
      fill(signInForms(door, events.onSignIn, text => say(text, true)))
      if (hadFocus) card.querySelector('button')?.focus()
    } else {
      say(`${problem} ${signedInText(signIn)}`.trim(), problem !== '')
      fill(...signedIn(door, signIn, caller, events.onSignOut, text => say(text, true)))
      if (hadFocus) status.focus()
    }
  }
  return { element: card, update }
}

/** @param {SignIn} signIn */
function signedInText({ name, expires }) {
  const who = name === '' ? 'Signed in' : `Signed in as ${name}`
  return expires === null ? `${who}, until this page is left or loaded again.` : `${who} until ${timeOf(expires)}.`
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
 * @param {Door} door
 * @param {SignIn} signIn
 * @param {import('./caller.js').Caller} caller
 * @param {() => void} onSignOut
 * @param {(problem: string) => void} onProblem
 * @returns {HTMLElement[]}
 */
function signedIn(door, signIn, caller, onSignOut, onProblem) {
  const { running, issuer } = door
  const plain = (/** @type {string} */ text, /** @type {() => void} */ onclick) =>
    element('button', { type: 'button', class: 'quiet', onclick }, text)
  const lacked = lackedScopes(signIn, running)
  const isIssued = running.security === 'OAUTH2' && running.identityProvider === 'CADMUS'
  const again = () => void getToken(door, signIn).catch(error => onProblem(problemOf(error)))
  const calls = permissions(running.namespace, caller)
  const buttons = [
    ...(running.security === 'OAUTH2' ? [copyButton(signIn)] : []),
    ...(isIssued && issuer !== null && canAsk() ? [plain('Get another token', again)] : []),
    calls.button,
    plain('Sign out', onSignOut),
  ]
  const remark = `The token lacks ${lacked.join(', ')}: get another one as somebody who may have that.`
  return [
    element('div', { class: 'row' }, ...buttons),
    ...(lacked.length === 0 ? [] : [element('p', { class: 'muted' }, remark)]),
    calls.answer,
  ]
}

/**
 * Other tools may want the token as well.
 * @param {SignIn} signIn
 */
function copyButton({ authorization }) {
  const copy = element('button', { type: 'button', class: 'quiet' }, 'Copy token')
  copy.addEventListener('click', () => {
    navigator.clipboard.writeText(authorization.replace(/^Bearer /, '')).then(
      () => (copy.textContent = 'Copied'),
      () => (copy.textContent = 'It could not be copied'),
    )
  })
  return copy
}
