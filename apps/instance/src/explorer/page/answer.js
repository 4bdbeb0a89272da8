import { element } from './elements.js'
import { indentJson, indentXml } from './indent.js'

/**
 * `say` shows a sentence in the place of an answer. `note`: what is wrong with the answer, beside its status.
 * @typedef {{ element: HTMLElement, say(text: string, isBad?: boolean): void, show(answer: Response, text: string, took: number, note?: string): void }} AnswerBox
 */

/**
 * The last answer: its status, which is announced, and its content, indented.
 * @param {string} [text] what is said before there is an answer
 * @returns {AnswerBox}
 */
export function answerBox(text = '') {
  const status = element('span', { class: 'muted' }, text)
  const note = element('p', { class: 'bad', hidden: true })
  const content = element('pre', { tabindex: '0', role: 'region', 'aria-label': 'Content', hidden: true })
  const live = element('div', { role: 'status' }, element('p', {}, status), note)
  const set = (/** @type {string} */ said, /** @type {string} */ how, /** @type {string} */ remark) => {
    status.className = how
    status.textContent = said
    note.textContent = remark
    note.hidden = remark === ''
  }
  return {
    element: element('section', { class: 'answer', 'aria-label': 'Answer' }, live, content),
    say(said, isBad = false) {
      set(said, isBad ? 'bad' : 'muted', '')
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
 * Sends a request, and shows its answer. `noteOf`: what is wrong with it, if anything.
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
