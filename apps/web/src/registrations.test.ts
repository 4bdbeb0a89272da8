import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AppContext, Target } from './commands/context.ts'
import { entriesOf } from './commands/entries.ts'
import { commandsAt } from './commands/registry.ts'

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

const menuOf = (target: Target, view: AppContext['view'] = 'navigator') => {
  const place = view === 'admin' ? 'admin' : 'tree'
  const context = { target, view, isAdmin: true, hasManifests: true, active: null }
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
