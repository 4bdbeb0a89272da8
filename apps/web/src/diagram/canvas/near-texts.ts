import { card as sizes } from '@cadmus/diagram/geometry'
import { visibleText } from '@cadmus/model/display'
import type { Drawing } from '@cadmus/diagram/drawing'
import type { Camera } from '../diagram.ts'
import { toScreen, type Size } from './camera.ts'
import styles from './canvas.module.css'

/** From this zoom on, and with at most so many cards in view, texts can be chosen while the camera rests. */
export const nearFrom = 0.8
export const mostNear = 24

/** Whether a pointer is on a text of a card, which it may choose instead of moving the card. */
export function isCardText(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(`.${styles['text']}`) !== null
}

/** Invisible texts above those of the canvas, so that they can be chosen and copied. */
export class NearTexts {
  readonly #layer = document.createElement('div')
  #shown = ''

  constructor(host: HTMLElement) {
    this.#layer.className = styles['near'] ?? ''
    // The list beside the canvas is what screen readers get.
    this.#layer.ariaHidden = 'true'
    host.append(this.#layer)
  }

  show(drawing: Drawing, cards: readonly number[], camera: Camera, size: Size): void {
    this.move(camera, size)
    const texts = cards.flatMap(card => textsOf(drawing, card))
    // A choice of text would be lost if the same texts were made anew.
    const shown = JSON.stringify(texts)
    if (shown === this.#shown) return
    this.#shown = shown
    this.#layer.replaceChildren(...texts.map(elementOf))
  }

  move(camera: Camera, size: Size): void {
    if (this.#shown === '') return
    const { x, y } = toScreen(camera, size, { x: 0, y: 0 })
    this.#layer.style.transform = `translate(${x}px, ${y}px) scale(${camera.zoom})`
  }

  clear(): void {
    if (this.#shown === '') return
    this.#shown = ''
    this.#layer.replaceChildren()
  }
}

type Text = { text: string; kind?: 'name' | 'type'; left?: number; right?: number; top: number }

function textsOf({ scene, places, rows }: Drawing, card: number): Text[] {
  const [left, top] = [places.x[card]!, places.y[card]!]
  const texts: Text[] = [{ text: scene.names[card]!, kind: 'name', left: left + 10, top: top + 5 }]
  for (const [row, { name, type, nullable }] of (rows(card) ?? []).slice(0, scene.rowCounts[card]).entries()) {
    const at = top + sizes.head + row * sizes.row
    texts.push({ text: name, left: left + 25, top: at })
    if (type !== '')
      texts.push({ text: type + (nullable ? '?' : ''), kind: 'type', right: left + sizes.width - 10, top: at })
  }
  return texts
}

function elementOf({ text, kind, left, right, top }: Text): HTMLElement {
  const element = document.createElement('span')
  element.className = [styles['text'], kind && styles[kind]].filter(Boolean).join(' ')
  element.textContent = visibleText(text)
  element.style.top = `${top}px`
  if (left !== undefined) element.style.left = `${left}px`
  // The layer has no width, so that its right edge is the origin.
  if (right !== undefined) element.style.right = `${-right}px`
  element.style.maxWidth = `${sizes.width - 35}px`
  return element
}
