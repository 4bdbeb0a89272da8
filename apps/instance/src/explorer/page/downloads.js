import { element } from './elements.js'

/** @typedef {import('./sign-in.js').Package} Package */

/**
 * What describes a package to tools, a file for each protocol. They are fetched with what the caller showed, which a plain link would not
 * send along.
 * @param {Package} running
 * @param {() => string | null} authorization
 * @returns {HTMLElement}
 */
export function downloads({ namespace, protocols, security }, authorization) {
  const name = encodeURIComponent(namespace)
  const files = filesOf(name, namespace).filter(({ protocol }) => protocols.includes(protocol))
  const status = element('span', { role: 'status' })
  const buttons = files.map(({ label, path, file }) =>
    element(
      'button',
      { type: 'button', class: 'plain', onclick: () => void save(path, file, authorization(), status) },
      `Download ${label}`,
    ),
  )
  const addresses = files.map(({ path, label }) =>
    element('li', {}, `${label}: `, element('code', { class: 'path' }, location.origin + path)),
  )
  return element(
    'section',
    { class: 'card', 'aria-label': 'For other tools' },
    element('div', { class: 'row' }, ...buttons, ...pageLinks(name, protocols), status),
    element('ul', { class: 'addresses' }, ...addresses),
    ...(security === 'NONE' ? [] : [element('p', { class: 'muted' }, guarded)]),
  )
}

const guarded =
  'Downloads show what you signed in with here. A tool that reads a description by its address must sign in there itself.'

/**
 * @param {string} name as in an address
 * @param {string} namespace
 */
function filesOf(name, namespace) {
  return [
    { protocol: 'REST', label: 'OpenAPI', path: `/api/${name}/1.0/openapi.json`, file: `${namespace}.openapi.json` },
    {
      protocol: 'GRAPHQL',
      label: 'GraphQL schema',
      path: `/graphql/${name}/1.0/schema.graphql`,
      file: `${namespace}.graphql`,
    },
    { protocol: 'SOAP', label: 'WSDL', path: `/soap/${name}/1.0?wsdl`, file: `${namespace}.wsdl` },
  ]
}

/**
 * @param {string} name
 * @param {readonly string[]} protocols
 * @returns {HTMLElement[]}
 */
function pageLinks(name, protocols) {
  if (!protocols.includes('GRAPHQL')) return []
  // Beside this page, which alone has the token that it was given.
  const beside = { target: '_blank', rel: 'noopener' }
  return [element('a', { href: `/graphql/${name}/1.0`, ...beside }, 'Write GraphQL queries')]
}

/**
 * @param {string} path
 * @param {string} file
 * @param {string | null} authorization
 * @param {HTMLElement} status
 */
async function save(path, file, authorization, status) {
  status.className = ''
  status.textContent = ''
  try {
    const answer = await fetch(path, {
      headers: authorization === null ? {} : { authorization },
      credentials: 'omit',
    })
    if (!answer.ok) return refuse(status, await wordsOf(answer))
    const address = URL.createObjectURL(await answer.blob())
    element('a', { href: address, download: file }).click()
    // The browser takes it at its leisure.
    setTimeout(() => URL.revokeObjectURL(address), 60_000)
    status.textContent = `${file} is downloaded.`
  } catch {
    refuse(status, 'The instance could not be reached.')
  }
}

/**
 * @param {HTMLElement} status
 * @param {string} text
 */
function refuse(status, text) {
  status.className = 'bad'
  status.textContent = text
}

/**
 * @param {Response} answer
 * @returns {Promise<string>}
 */
async function wordsOf(answer) {
  if (answer.status === 401) return 'Sign in to get it.'
  /** @type {{ message?: string }} */
  const said = await answer.json().catch(() => ({}))
  return said.message ?? `The instance answered with status ${answer.status}.`
}
