import { element } from './elements.js'
import { indentJson, indentXml } from './indent.js'

/**
 * `say` shows a message instead of a response. `note`: a problem with the answer, shown next to its status.
 * @typedef {{ element: HTMLElement, say(text: string, isBad?: boolean): void, show(answer: Response, text: string, took: number, note?: string): void }} AnswerBox
 */

/**
 * Shows the last answer: its status (a live region) and its indented content.
 * @param {string} [text] initial message
 * @returns {AnswerBox}
 */
export function answerBox(text = '') {
  const status = element('span', { class: 'muted' }, text)
  const note = element('p', { class: 'bad', hidden: true })
  const content = element('pre', { tabindex: '0', role: 'region', 'aria-label': 'Content', hidden: true })
  const live = element('div', { role: 'status' }, element('p', {}, status), note)
  const set = (/** @type {string} */ message, /** @type {string} */ className, /** @type {string} */ remark) => {
    status.className = className
    status.textContent = message
    note.textContent = remark
    note.hidden = remark === ''
  }
  return {
    element: element('section', { class: 'answer', 'aria-label': 'Answer' }, live, content),
    say(message, isBad = false) {
      set(message, isBad ? 'bad' : 'muted', '')
      content.hidden = true
    },
    show({ ok, status: code, headers }, body, took, remark = '') {
      set(`${code} in ${Math.round(took)} ms`, ok ? 'good' : 'bad', remark)
      content.textContent = indented(body, headers.get('content-type') ?? '')
      content.hidden = body === ''
      content.scrollTop = 0
    },
  }
}

/**
 * Sends a request and shows its answer. `noteOf` returns a problem of the answer, or ''.
 * @param {AnswerBox} box
 * @param {() => Promise<Response>} request
 * @param {(text: string) => string} [noteOf]
 */
export async function showAnswer(box, request, noteOf) {
  box.say('Sending…')
  const from = performance.now()
  try {
    const answer = await request()
    const text = await answer.text()
    box.show(answer, text, performance.now() - from, noteOf?.(text))
  } catch {
    box.say('The instance could not be reached.', true)
  }
}

/**
 * @param {string} text
 * @param {string} type
 */
function indented(text, type) {
  if (type.includes('json')) return indentJson(text)
  return type.includes('xml') ? indentXml(text) : text
}
