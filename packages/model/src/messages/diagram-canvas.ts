import { formatCount } from '../display.ts'

/** Texts about pictures of a diagram. */
export const canvasTexts = {
  reduced: (side: number, percent: number) =>
    `A PNG can have at most ${formatCount(side)} pixels a side. The picture has ${percent} % of the diagram's size; SVG has no limit.`,
} as const
