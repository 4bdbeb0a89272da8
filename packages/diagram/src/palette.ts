import type { Mark } from './scene.ts'

/** Colours of a diagram, as the page resolves them for its theme. */
export type Palette = {
  readonly ground: string
  readonly surface: string
  readonly line: string
  readonly text: string
  readonly muted: string
  readonly edge: string
  readonly key: string
  readonly reference: string
  readonly bar: string
  readonly frame: string
  readonly accent: string
  readonly onAccent: string
  /** Of areas: of heads, which have text on them, and of blocks. */
  readonly tints: readonly string[]
  readonly blocks: readonly string[]
  readonly marks: Readonly<Record<Mark, string>>
}

/** Signs of marks, so that colour never says it alone. */
export const signs: Readonly<Record<Mark, string>> = {
  added: '+',
  removed: '−',
  changed: '•',
  problem: '!',
  unsaved: '*',
}
