import { useEffect, useState } from 'react'

/** A search shows what it found without a press; what is folded then is folded for the search only. */
const unfoldedBySearch = [
  'standard',
  'custom',
  'custom>entities',
  'custom>manifests',
  'standard>entities',
  'standard>manifests',
  'library>entities',
  'library>manifests',
]

/** Where what is unfolded comes from at first, and goes. */
export type KeptFolding = { first: () => readonly string[]; keep: (open: ReadonlySet<string>) => void }

export type Folding = {
  expanded: ReadonlySet<string>
  isExpanded: (id: string) => boolean
  /** How many pages of a group are shown. */
  pagesOf: (id: string) => number
  toggle: (id: string) => void
  unfold: (ids: readonly string[]) => void
  more: (id: string) => void
}

/** What is unfolded, and how many pages of each group are shown. */
export function useFolding(search: string, kept: KeptFolding): Folding {
  const [folding, setFolding] = useState(() => ({ open: new Set(kept.first()), pages: new Map<string, number>() }))
  const [found, setFound] = useState(() => ({ open: new Set(unfoldedBySearch), pages: new Map<string, number>() }))
  const [searched, setSearched] = useState(search)
  if (search !== searched) {
    setSearched(search)
    setFound({ open: new Set(unfoldedBySearch), pages: new Map() })
  }
  const [current, change] = search === '' ? [folding, setFolding] : [found, setFound]
  useEffect(() => kept.keep(folding.open), [kept, folding.open])

  return {
    expanded: current.open,
    isExpanded: id => current.open.has(id),
    pagesOf: id => current.pages.get(id) ?? 1,
    toggle: id =>
      change(({ open, pages }) => {
        const next = new Set(open)
        if (!next.delete(id)) next.add(id)
        return { open: next, pages }
      }),
    unfold: ids =>
      change(({ open, pages }) =>
        ids.every(id => open.has(id)) ? current : { open: new Set([...open, ...ids]), pages },
      ),
    more: id => change(({ open, pages }) => ({ open, pages: new Map(pages).set(id, (pages.get(id) ?? 1) + 1) })),
  }
}
