const regions = ['sidebar', 'document', 'properties', 'tour']

/** Moves the focus through tree, document, properties and a running tour. */
export function cycleRegions(): void {
  const present = regions
    .map(name => document.querySelector<HTMLElement>(`[data-region="${name}"]`))
    .filter(region => region !== null && region.getClientRects().length > 0)
  const at = present.findIndex(region => region?.contains(document.activeElement))
  const next = present[(at + 1) % present.length]
  const inside = next?.querySelector<HTMLElement>('[tabindex="0"], button, input, a[href]')
  ;(inside ?? next)?.focus()
}
