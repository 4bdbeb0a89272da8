import { callerCard } from './caller-card.js'
import { callerOf } from './caller.js'
import { element } from './elements.js'
import { graphQlView } from './graphql.js'
import { restView } from './rest.js'
import { soapView } from './soap.js'

/**
 * @typedef {import('./sign-in.js').SignInContext} SignInContext
 * @typedef {import('./sign-in.js').Package} Package
 * @typedef {import('./sign-ins.js').SignIn} SignIn
 * @typedef {import('./sign-ins.js').SignIns} SignIns
 * @typedef {import('./rest.js').View} View
 * @typedef {{ key: string, word: string, label: string, viewOf(running: Package, caller: import('./caller.js').Caller): View }} Protocol
 */

/** @type {Protocol[]} */
const protocols = [
  { key: 'REST', word: 'rest', label: 'REST', viewOf: restView },
  { key: 'GRAPHQL', word: 'graphql', label: 'GraphQL', viewOf: graphQlView },
  { key: 'SOAP', word: 'soap', label: 'SOAP', viewOf: soapView },
]

const refusals = {
  NONE: '',
  BASIC: 'The user name or the password is wrong.',
  OAUTH2: 'The token is invalid or has expired. Sign in again.',
}

/** The maximum delay of browser timers, in milliseconds. */
const longestTimer = 2 ** 31 - 1

/** A package: its caller, and a view for each of its protocols. All share the sign-in. */
export class PackagePage {
  #signIns
  #realm
  #caller
  #card
  #running
  #offered
  #links
  #place = element('div', {})
  /** @type {Map<Protocol, View>} */
  #views = new Map()
  /** @type {Protocol | undefined} */
  #current
  #timer = 0

  /**
   * @param {SignInContext} context
   * @param {SignIns} signIns
   * @param {(word: string) => string} addressOf of a protocol's view
   */
  constructor(context, signIns, addressOf) {
    const { running, realm } = context
    this.#running = running
    this.#realm = realm
    this.#signIns = signIns
    this.#offered = protocols.filter(({ key }) => running.protocols.includes(key))
    this.#links = this.#offered.map(({ word, label }) => element('a', { href: addressOf(word) }, label))
    this.#caller = callerOf(running, realm, signIns, () => this.#update(refusals[running.security]))
    this.#card = callerCard(context, this.#caller, {
      onSignIn: signIn => this.#signIn(signIn),
      onSignOut: () => this.#signOut(),
    })
  }

  /**
   * Shows the package. `problem`: why a sign-in failed, or ''.
   * @param {HTMLElement} place
   * @param {string} problem
   */
  showIn(place, problem) {
    const { title, name, version } = this.#running
    const head = element('h2', {}, title, ' ', element('span', { class: 'muted version' }, `${name} ${version}`))
    const nav = element('nav', { 'aria-label': 'Protocols' }, ...this.#links)
    place.replaceChildren(head, this.#card.element, nav, this.#place)
    this.#update(problem)
  }

  /**
   * @param {string | null} word of a protocol; an unknown one selects the first
   * @returns {string} the word of the selected protocol
   */
  open(word) {
    const protocol = this.#offered.find(one => one.word === word) ?? this.#offered[0]
    if (protocol === undefined) return ''
    const view = this.#views.get(protocol) ?? protocol.viewOf(this.#running, this.#caller)
    this.#views.set(protocol, view)
    this.#current = protocol
    this.#place.replaceChildren(view.element)
    this.#links.forEach((link, index) => {
      if (this.#offered[index] === protocol) link.setAttribute('aria-current', 'page')
      else link.removeAttribute('aria-current')
    })
    document.title = `${protocol.label} of ${this.#running.title} – API explorer`
    void view.load()
    return protocol.word
  }

  get namespace() {
    return this.#running.namespace
  }

  close() {
    clearTimeout(this.#timer)
  }

  /** @param {SignIn} signIn */
  #signIn(signIn) {
    this.#signIns.add(this.#realm, signIn)
    if (this.#caller.signIn() === null) throw new Error('This token has expired. Get another one.')
    this.#update('')
    this.open(this.#current?.word ?? null)
  }

  #signOut() {
    this.#signIns.remove(this.#realm)
    // Views may contain data of the user who signs out.
    this.#views.clear()
    this.#update('')
    this.open(this.#current?.word ?? null)
  }

  /** @param {string} problem */
  #update(problem) {
    this.#card.update(problem)
    clearTimeout(this.#timer)
    const expires = this.#caller.signIn()?.expires ?? null
    if (expires === null) return
    const end = () => this.#update(this.#caller.signIn() === null ? 'The sign-in has expired. Sign in again.' : '')
    this.#timer = window.setTimeout(end, Math.min(expires - Date.now(), longestTimer))
  }
}
