import { useEffect, useState } from 'react'
import { currentOrganisation } from '../../api/session-store.ts'
import { storage } from '../../api/storage.ts'
import { ancestorsOf } from './tree-model.ts'

const unfoldedAtFirst = ['custom', 'custom>manifests', 'library>entities']
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
/** What was unfolded first is let go of, so that years of use do not fill the storage. */
const mostKept = 300

export type Folding = {
  expanded: ReadonlySet<string>
  isExpanded: (id: string) => boolean
  /** How many pages of a group are shown. */
  pagesOf: (id: string) => number
  toggle: (id: string) => void
  unfold: (ids: readonly string[]) => void
  more: (id: string) => void
}

/** What is unfolded, which outlives a reload, and how many pages of each group are shown. */
export function useFolding(search: string): Folding {
  const [folding, setFolding] = useState(() => ({ open: new Set(initiallyOpen()), pages: new Map<string, number>() }))
  const [found, setFound] = useState(() => ({ open: new Set(unfoldedBySearch), pages: new Map<string, number>() }))
  const [searched, setSearched] = useState(search)
  if (search !== searched) {
    setSearched(search)
    setFound({ open: new Set(unfoldedBySearch), pages: new Map() })
  }
  const [current, change] = search === '' ? [folding, setFolding] : [found, setFound]
  useEffect(() => keepUnfolded(folding.open), [folding.open])

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

/** What was unfolded last time, else the first groups; and everything above the node that was chosen. */
function initiallyOpen(): string[] {
  const selected = storage.read('selectedNode')
  return [...(keptUnfolded() ?? unfoldedAtFirst), ...(selected ? ancestorsOf(selected) : [])]
}

function keepUnfolded(open: ReadonlySet<string>): void {
  storage.writeJson('unfolded', { organisation: currentOrganisation(), ids: [...open].slice(-mostKept) })
}

/** Null where nothing was kept, or for another organisation. */
function keptUnfolded(): string[] | null {
  const kept = storage.readJson('unfolded')
  if (typeof kept !== 'object' || kept === null || !('ids' in kept) || !Array.isArray(kept.ids)) return null
  if (!('organisation' in kept) || kept.organisation !== currentOrganisation()) return null
  return kept.ids.filter(id => typeof id === 'string')
}
