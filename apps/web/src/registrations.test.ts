import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AppContext, Target } from './commands/context.ts'
import { entriesOf } from './commands/entries.ts'
import { commandsAt } from './commands/registry.ts'
import { synonymsOf } from './commands/synonyms.ts'
import { bestFit } from './features/shell/palette-match.ts'
import { verbLines, type Subject } from './features/shell/palette-verbs.ts'

// Modules of the page read its address when they are loaded.
beforeAll(async () => {
  vi.stubGlobal('location', new URL('http://console/'))
  const { registerAll } = await import('./registrations.ts')
  const { registerAdminCommands } = await import('./features/admin/commands.ts')
  registerAll()
  registerAdminCommands()
})
afterAll(() => vi.unstubAllGlobals())

const group = (workspace: 'standard' | 'custom', of: 'entities' | 'manifests', manifest: string | null): Target => ({
  kind: 'group',
  group: of,
  workspace,
  manifest: manifest === null ? null : { id: 7, name: manifest },
})

const menuOf = (target: Target, place: 'tree' | 'admin' = 'tree') => {
  const context = { target, isAdmin: true, hasManifests: true, active: null }
  return entriesOf(commandsAt(place), context).flatMap(entry => ('label' in entry ? [entry.label] : []))
}

describe('context menus of the tree', () => {
  it('each group and folder has one', () => {
    expect(menuOf(group('custom', 'manifests', null))).toEqual(['New Manifest', 'Import'])
    expect(menuOf(group('custom', 'entities', null))).toEqual(['Add Entity', 'Import Entity'])
    expect(menuOf(group('custom', 'manifests', 'Shop'))).toEqual(['Add Sub-Manifest'])
    expect(menuOf(group('custom', 'entities', 'Shop'))).toEqual(['Add Entity', 'Import Entity'])
    for (const of of ['entities', 'manifests'] as const)
      expect(menuOf(group('standard', of, null))).toEqual(['Open CDM Library', 'Refresh'])
    expect(menuOf({ kind: 'folder', path: 'core/applicationCommon' })).toEqual(['Open CDM Library', 'Refresh'])
  })

  it('each group and folder has one in the administration', () => {
    expect(menuOf(group('custom', 'manifests', null), 'admin')).toEqual(['Create Manifest', 'Import'])
    expect(menuOf(group('standard', 'manifests', null), 'admin')).toEqual(['Refresh Structure'])
    expect(menuOf({ kind: 'folder', path: 'core/applicationCommon' }, 'admin')).toEqual(['Refresh Structure'])
  })
})

describe('the palette', () => {
  const own = { isDefault: false, parent: null, path: 'user-defined/Shop' } as const
  const shop: Subject = { kind: 'manifest', id: 7, name: 'Shop', ...own }
  const order: Subject = {
    kind: 'entity',
    id: 8,
    name: 'SalesOrder',
    path: 'user-defined/Shop/SalesOrder',
    isDefault: false,
    type: 'EXCLUSIVE',
    manifest: null,
  }
  const context: AppContext = {
    target: { kind: 'none' },
    isAdmin: false,
    hasManifests: true,
    active: null,
  }
  const found = (typed: string) =>
    verbLines(typed, [shop, order], commandsAt('tree'), context).map(({ label }) => label)

  it('finds a command on a document by a text that names both', () => {
    expect(found('shop export postgres')).toEqual(['Shop: Export Database Schema for PostgreSQL'])
    expect(found('postgres shop')).toEqual(['Shop: Export Database Schema for PostgreSQL'])
    expect(found('export shop dbml')).toEqual(['Shop: Export DBML'])
    expect(found('sales order delete')).toEqual(['SalesOrder: Delete'])
    expect(found('order duplicate')).toEqual(['SalesOrder: Add to Manifest'])
    expect(found('shop rename')).toEqual(['Shop: Rename'])
    expect(found('shop publish')).toEqual(['Shop: Export Martini-style package'])
  })

  it('lists no command for the name of a document or of a command alone', () => {
    for (const typed of ['shop', 'sales order', 'export', 'export postgres', 'nothing delete', 'shop zzz'])
      expect(found(typed)).toEqual([])
  })

  it('lists no command that is disabled for the document', () => {
    const library: Subject = { ...shop, isDefault: true, path: 'predefined/Shop' }
    expect(verbLines('shop export postgres', [library], commandsAt('tree'), context)).toEqual([])
  })

  it.each(['duplicate', 'copy', 'clone'])('finds the creation of a copy by %s', word => {
    const labels = ['manifest.new', 'entity.new', 'entity.addToManifest']
    expect(labels.filter(id => bestFit('', synonymsOf(id), word) !== null)).toEqual(labels)
  })
})
