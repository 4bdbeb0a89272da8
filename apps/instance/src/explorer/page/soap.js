import { answerBox, showAnswer } from './answer.js'
import { descriptionLine, messageOf } from './downloads.js'
import { element, labelled, onRun } from './elements.js'
import { envelopeFor, envelopeNamespaces, readWsdl } from './wsdl.js'

/**
 * @typedef {import('./wsdl.js').SoapVersion} SoapVersion
 * @typedef {import('./wsdl.js').SoapOperation} SoapOperation
 * @typedef {import('./wsdl.js').Wsdl} Wsdl
 */

/**
 * A chooser of the WSDL's operations, an envelope editor, and the answer.
 * @param {import('./sign-in.js').Package} running
 * @param {import('./caller.js').Caller} caller
 * @returns {import('./rest.js').View}
 */
export function soapView({ namespace }, caller) {
  const address = `/soap/${encodeURIComponent(namespace)}/1.0`
  const path = `${address}?wsdl`
  const place = element('div', {}, element('p', { role: 'status' }, 'Loading…'))
  const say = (/** @type {string} */ text) => place.replaceChildren(element('p', { role: 'status' }, text))
  let isLoaded = false
  const load = async () => {
    if (isLoaded) return
    const answer = await caller.send(path)
    if (!answer.ok) return say(await messageOf(answer, 'Sign in to see what this package serves.'))
    const wsdl = readWsdl(await answer.text())
    if (wsdl.operations.length === 0) return say('This package has no SOAP operations.')
    place.replaceChildren(panes(wsdl, address, caller))
    isLoaded = true
  }
  const described = descriptionLine({ label: 'WSDL', path, file: `${namespace}.wsdl` }, caller)
  return {
    element: element('div', {}, described, place),
    load: () => load().catch(() => say('The instance could not be reached.')),
  }
}

/**
 * @param {Wsdl} wsdl
 * @param {string} address
 * @param {import('./caller.js').Caller} caller
 * @returns {HTMLElement}
 */
function panes(wsdl, address, caller) {
  const choice = element('select', {}, ...wsdl.operations.map(({ name }) => element('option', { value: name }, name)))
  const version = element('select', {}, ...Object.keys(envelopeNamespaces).map(one => element('option', {}, one)))
  const description = element('p', { class: 'muted' })
  const envelope = element('textarea', { rows: '18', spellcheck: 'false', autocomplete: 'off' })
  const answer = answerBox('No request sent yet.')
  const form = element(
    'form',
    { 'aria-label': 'Request' },
    element('div', { class: 'choices' }, labelled('Operation', choice), labelled('SOAP version', version)),
    description,
    labelled('Envelope', envelope, 'XML'),
    element('div', { class: 'row' }, element('button', { type: 'submit' }, 'Send ', element('kbd', {}, 'Ctrl+Enter'))),
  )
  const editor = envelopeEditor(wsdl, choice, version, envelope, description)
  onRun(form, () => {
    const { operation, soapVersion } = editor
    const request = { method: 'POST', headers: headersOf(operation(), soapVersion()), body: envelope.value }
    void showAnswer(answer, () => caller.send(address, request), faultIn)
  })
  return element('div', { class: 'panes' }, form, answer.element)
}

/**
 * Shows the envelope of the chosen operation. Input typed for an operation is restored when it is chosen again.
 * @param {Wsdl} wsdl
 * @param {HTMLSelectElement} choice
 * @param {HTMLSelectElement} version
 * @param {HTMLTextAreaElement} envelope
 * @param {HTMLElement} description
 */
function envelopeEditor(wsdl, choice, version, envelope, description) {
  /** @type {Map<SoapOperation, string>} */
  const typed = new Map()
  const operation = () => wsdl.operations[choice.selectedIndex] ?? wsdl.operations[0]
  const soapVersion = () => /** @type {SoapVersion} */ (version.value)
  const show = () => {
    const chosen = operation()
    if (chosen === undefined) return
    description.textContent = chosen.description
    const text = typed.get(chosen) ?? envelopeFor(wsdl, chosen, soapVersion())
    envelope.value = Object.values(envelopeNamespaces).reduce(
      (all, namespace) => all.replaceAll(`"${namespace}"`, `"${envelopeNamespaces[soapVersion()]}"`),
      text,
    )
  }
  envelope.addEventListener('input', () => {
    const chosen = operation()
    if (chosen !== undefined) typed.set(chosen, envelope.value)
  })
  choice.addEventListener('change', show)
  version.addEventListener('change', show)
  show()
  return { operation, soapVersion }
}

/**
 * @param {SoapOperation | undefined} operation
 * @param {SoapVersion} version
 * @returns {Record<string, string>}
 */
function headersOf(operation, version) {
  const action = operation?.action ?? ''
  if (version === '1.2') return { 'content-type': `application/soap+xml; charset=utf-8; action="${action}"` }
  return { 'content-type': 'text/xml; charset=utf-8', soapaction: `"${action}"` }
}

/**
 * The fault of an answer as text; '' without one.
 * @param {string} text
 */
function faultIn(text) {
  const root = new DOMParser().parseFromString(text, 'application/xml')
  const [fault] = Object.values(envelopeNamespaces).flatMap(one => [...root.getElementsByTagNameNS(one, 'Fault')])
  if (fault === undefined) return ''
  const part = (/** @type {string[]} */ ...names) =>
    names.map(name => fault.getElementsByTagNameNS('*', name)[0]?.textContent).find(one => one !== undefined) ?? ''
  return `Fault ${part('faultcode', 'Value')}: ${part('faultstring', 'Text')}`
}
