const regions = ['sidebar', 'document', 'properties']

/** Moves the focus from tree to document to properties and around. */
export function cycleRegions(): void {
  const found = regions
    .map(name => document.querySelector<HTMLElement>(`[data-region="${name}"]`))
    .filter(region => region !== null && region.offsetParent !== null)
  const at = found.findIndex(region => region?.contains(document.activeElement))
  const next = found[(at + 1) % found.length]
  const inside = next?.querySelector<HTMLElement>('[tabindex="0"], button, input, a[href]')
  ;(inside ?? next)?.focus()
}
