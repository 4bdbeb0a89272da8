import { useEffect, useState } from 'react'

/** A search unfolds its results; folding then affects only the search. */
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

export type StoredFolding = { first: () => readonly string[]; keep: (open: ReadonlySet<string>) => void }

export type Folding = {
  expanded: ReadonlySet<string>
  isExpanded: (id: string) => boolean
  pagesOf: (id: string) => number
  toggle: (id: string) => void
  unfold: (ids: readonly string[]) => void
  more: (id: string) => void
}

export function useFolding(search: string, stored: StoredFolding): Folding {
  const [folding, setFolding] = useState(() => ({ open: new Set(stored.first()), pages: new Map<string, number>() }))
  const [searchState, setSearchState] = useState(() => ({
    open: new Set(unfoldedBySearch),
    pages: new Map<string, number>(),
  }))
  const [searched, setSearched] = useState(search)
  if (search !== searched) {
    setSearched(search)
    setSearchState({ open: new Set(unfoldedBySearch), pages: new Map() })
  }
  const [current, change] = search === '' ? [folding, setFolding] : [searchState, setSearchState]
  useEffect(() => stored.keep(folding.open), [stored, folding.open])

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
