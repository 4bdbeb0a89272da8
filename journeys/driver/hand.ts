import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { keys } from './keyboard.ts'

type ClickOptions = Parameters<Locator['click']>[0]
type Point = { x: number; y: number }

/** The actions of a user, counted: a click, key, drag or paste is one. Typed words are none. */
export class Hand {
  readonly #page: Page
  #count = 0

  constructor(page: Page) {
    this.#page = page
  }

  get count(): number {
    return this.#count
  }

  async click(target: { click(options?: ClickOptions): Promise<void> }, options: ClickOptions = {}): Promise<void> {
    this.#count += 1
    await target.click(options)
  }

  /** Presses a key, or keys one after the other. */
  async press(...names: readonly string[]): Promise<void> {
    this.#count += names.length
    await keys(this.#page, ...names)
  }

  async drag(from: Point, to: Point): Promise<void> {
    this.#count += 1
    const { mouse } = this.#page
    await mouse.move(from.x, from.y)
    await mouse.down()
    await mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 })
    await mouse.move(to.x, to.y, { steps: 4 })
    await mouse.up()
  }

  /** Pastes a text that another program put on the clipboard. */
  async paste(text: string): Promise<void> {
    await this.#page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await this.#page.evaluate(async copied => navigator.clipboard.writeText(copied), text)
    await this.press('Control+v')
  }

  async type(words: string): Promise<void> {
    await this.#page.keyboard.type(words)
  }
}

/** Does a task and fails if it takes more actions than users may need. */
export async function inAtMost(page: Page, most: number, task: (hand: Hand) => Promise<void>): Promise<void> {
  const hand = new Hand(page)
  await task(hand)
  expect(hand.count, 'actions').toBeLessThanOrEqual(most)
}
