import { describe, expect, it } from 'vitest'
import type { ListedDocument } from '../../workbench/own-documents.ts'
import { existing, ownManifests, worstFirst } from './listed.ts'

const listed = (kind: ListedDocument['kind'], id: number, path?: string): ListedDocument => ({
  kind,
  id,
  name: `${kind}${id}`,
  at: 5,
  ...(path === undefined ? {} : { path }),
})

describe('listed documents', () => {
  const documents = [listed('entity', 1), listed('manifest', 1), listed('configuration', 2)]

  it('are shown as they were listed until their places are known', () => {
    expect(existing(documents, undefined)).toBe(documents)
  })

  it('have their present names and paths, and deleted ones are left out', () => {
    const located = [
      { kind: 'entity' as const, id: 1, name: 'Order', path: 'user-defined/Order' },
      { kind: 'manifest' as const, id: 2, name: 'Shop', path: 'user-defined/Shop' },
    ]
    expect(existing(documents, located)).toEqual([
      { kind: 'entity', id: 1, name: 'Order', path: 'user-defined/Order', at: 5 },
      { kind: 'configuration', id: 2, name: 'Shop', path: 'user-defined/Shop', at: 5 },
    ])
    expect(existing(documents, [])).toEqual([])
  })
})

describe('checked manifests', () => {
  it('are the own ones, each once, up to a limit', () => {
    const lists = [
      [listed('entity', 9, 'user-defined/A'), listed('configuration', 1, 'user-defined/Shop'), listed('manifest', 2)],
      [listed('manifest', 1, 'user-defined/Shop'), listed('manifest', 3, 'predefined/core')],
      [listed('manifest', 4, 'user-defined/Four'), listed('manifest', 5, 'user-defined/Five')],
    ]
    expect(ownManifests(lists, 2)).toEqual([
      { id: 1, name: 'configuration1', path: 'user-defined/Shop' },
      { id: 4, name: 'manifest4', path: 'user-defined/Four' },
    ])
  })

  it('are in the order of errors, then warnings, with unknown ones last', () => {
    const counts = [
      undefined,
      { errors: 0, warnings: 0 },
      { errors: 0, warnings: 7 },
      { errors: 2, warnings: 0 },
      { errors: 2, warnings: 1 },
    ]
    expect(counts.toSorted(worstFirst)).toEqual(counts.toReversed())
  })
})
