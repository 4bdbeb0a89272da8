/** Widths of the window, in pixels, below which a side panel lies over the document. The styles have them, too. */
export const overlayBelow = { sidebar: 900, properties: 1100 } as const

/** The media query of windows in which a side panel lies over the document. */
export function overlayQuery(side: keyof typeof overlayBelow): string {
  return `(width < ${overlayBelow[side]}px)`
}
