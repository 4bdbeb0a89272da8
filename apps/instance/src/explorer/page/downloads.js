import { element } from './elements.js'

/** @typedef {{ label: string, path: string, file: string }} DescriptionFile */

/**
 * The address of an API description and a download button, which sends the credentials that a plain link would not.
 * @param {DescriptionFile} described
 * @param {import('./caller.js').Caller} caller
 * @returns {HTMLElement}
 */
export function descriptionLine({ label, path, file }, caller) {
  const status = element('span', { role: 'status' })
  const button = element(
    'button',
    { type: 'button', class: 'plain', onclick: () => void save(path, file, caller, status) },
    `Download ${label}`,
  )
  return element('div', { class: 'row' }, element('code', { class: 'path' }, location.origin + path), button, status)
}

/**
 * @param {string} path
 * @param {string} file
 * @param {import('./caller.js').Caller} caller
 * @param {HTMLElement} status
 */
async function save(path, file, caller, status) {
  status.className = ''
  status.textContent = ''
  try {
    const answer = await caller.send(path)
    if (!answer.ok) return refuse(status, await messageOf(answer, 'Sign in to download this file.'))
    const address = URL.createObjectURL(await answer.blob())
    element('a', { href: address, download: file }).click()
    // Browsers may start the download with a delay.
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
 * The reason for a refused description.
 * @param {Response} answer
 * @param {string} unauthenticated
 * @returns {Promise<string>}
 */
export async function messageOf(answer, unauthenticated) {
  if (answer.status === 401) return unauthenticated
  /** @type {{ message?: string }} */
  const { message = `The instance answered with status ${answer.status}.` } = await answer.json().catch(() => ({}))
  return message
}
