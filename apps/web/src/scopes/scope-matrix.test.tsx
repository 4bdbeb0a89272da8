import { newConfiguration } from '@cadmus/model/configuration'
import { noScopes } from '@cadmus/model/entity'
import type { OperationScopes } from '@cadmus/model/operations'
import { type AccessSettings, accessOf } from '@cadmus/model/required-scopes'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { queryClient } from '../api/query-client.ts'
import { uiSettings } from '../providers.tsx'
import { UiSettingsContext } from '../ui/settings.ts'
import type { MatrixRow } from './matrix-rows.ts'
import { ScopeMatrix } from './ScopeMatrix.tsx'
import { ScopeSession } from './scope-session.ts'
import type { ShownScopes } from './use-scope-state.ts'

const row = (id: number, name: string, scopes: Partial<OperationScopes> = {}, primaryKey: string | null = 'id') =>
  ({
    id,
    name,
    path: name,
    manifest: 'Shop',
    sharedWith: [],
    primaryKey,
    operationScopes: { ...noScopes, ...scopes },
  }) satisfies MatrixRow

const rows = [row(1, 'Order', { selectOperationScopes: ['read', 'write'] }), row(2, 'Log', {}, null)]

type Settings = {
  api?: Partial<AccessSettings['apiConfiguration']>
  scopes?: Partial<AccessSettings['apiScopeConfiguration']>
  token?: readonly string[]
  locked?: string
}

/** The texts of the cells, by row, without boxes. */
function rendered({ api = {}, scopes = {}, token, locked }: Settings) {
  const { apiConfiguration, apiScopeConfiguration } = newConfiguration('Shop').configurationBuild
  const access = accessOf({
    apiConfiguration: { ...apiConfiguration, type: ['REST'], security: 'OAUTH2', ...api },
    apiScopeConfiguration: { ...apiScopeConfiguration, enableRbac: true, ...scopes },
  })
  const shown: ShownScopes = {
    manifest: { id: 1, name: 'Shop', path: 'Shop', isDefault: false, currentVersion: '1.0.0', latestVersion: '1.0.0' },
    rows,
    defined: { scopeDefinitions: ['read'], globalScopes: [], excludeOperations: [] },
    access,
    session: new ScopeSession(1),
    unsaved: { entities: [], configuration: null },
    configurationLocked: null,
    hasManifests: false,
    usesDirectory: false,
  }
  const html = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <UiSettingsContext value={uiSettings}>
        <ScopeMatrix
          shown={shown}
          rows={rows}
          filterKey=""
          isFiltered={false}
          locked={locked ?? null}
          token={token ?? null}
          onScope={() => undefined}
        />
      </UiSettingsContext>
    </QueryClientProvider>,
  )
  const lines = html.match(/<tr[^>]*data-row-id.*?<\/tr>/g) ?? []
  const textOf = (cell: string) =>
    cell
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
  return { html, cells: lines.map(line => (line.match(/<td.*?<\/td>/g) ?? []).slice(1).map(textOf)) }
}

describe('The scope matrix', () => {
  it('says in words what each operation requires, and which are not served', () => {
    const open = 'anyone signed in'
    expect(rendered({ api: { excludeOperations: ['Order.put'] } }).cells).toEqual([
      ['Order', open, 'read write', open, 'excluded', open],
      ['Log', open, 'no key', open, 'no key', 'no key'],
    ])
  })

  it('says where only global scopes apply, and where no authentication is required', () => {
    expect(rendered({ scopes: { globalScopes: ['all'] } }).cells[0]).toEqual([
      'Order',
      'global only',
      'read write',
      'global only',
      'global only',
      'global only',
    ])
    const none = rendered({ api: { security: 'NONE' } }).cells[0]
    expect(none).toEqual(['Order', 'anyone', 'anyone read write', 'anyone', 'anyone', 'anyone'])
    expect(rendered({ api: { type: [] } }).cells[1]).toEqual(['Log', ...Array.from({ length: 5 }, () => 'not served')])
  })

  it('has room for the scopes of operations that are not served', () => {
    const { html, cells } = rendered({ api: { type: [] } })
    expect(cells[0]).toEqual(['Order', 'not served', 'not served read write', ...Array(3).fill('not served')])
    expect(html.match(/visually-hidden">not served/g)).toHaveLength(1)
  })

  it('marks what a token may call', () => {
    const { cells } = rendered({ token: ['other'] })
    expect(cells[0]?.slice(1, 3)).toEqual(['may call: anyone signed in', 'may not call: read write'])
    expect(rendered({ token: ['write'] }).cells[0]?.[2]).toBe('may call: read write')
  })

  it('is read-only if it is locked', () => {
    expect(rendered({}).html).not.toContain('<table role="grid" aria-label="Scopes of operations" aria-readonly')
    expect(rendered({ locked: 'This is an old version.' }).html).toMatch(/<table[^>]*aria-readonly="true"/)
  })
})
