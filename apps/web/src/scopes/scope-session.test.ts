import { newConfiguration } from '@cadmus/model/configuration'
import { newEntityContent } from '@cadmus/model/entity'
import type { OperationScopes } from '@cadmus/model/operations'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { configurationStandIn, configurationStore } from '../drafts/configuration-store.ts'
import { draftKey } from '../drafts/draft-key.ts'
import { entityStandIn } from '../drafts/entity-draft.ts'
import { entityStore } from '../drafts/entity-store.ts'
import { noticeStore } from '../ui/notices.ts'
import { workbench } from '../workbench/page-workbench.ts'
import type { MatrixRow } from './matrix-rows.ts'
import { definedIn, type ScopeChange } from './scope-changes.ts'
import { maxEntities, ScopeSession } from './scope-session.ts'

const manifestId = 1
const ids = [11, 12]

function receive(id: number, scopes: Partial<OperationScopes> = {}): void {
  const content = newEntityContent({ name: `E${id}` })
  const operationScopes = { ...content.operationScopes, ...scopes }
  entityStore.receive(entityStandIn(id, { ...content, uid: `uid-${id}`, operationScopes }, undefined), '"1"', undefined)
}

const contentOf = (id: number) => entityStore.get(draftKey(id, undefined))!.draft.content
const scopesOf = (id: number) => contentOf(id).operationScopes.selectOperationScopes
const definitions = () =>
  definedIn(configurationStore.get(draftKey(manifestId, undefined))!.draft.content.configurationBuild)
const defined = { scopeDefinitions: ['read'], globalScopes: [], excludeOperations: ['E11.put'] }
const change: ScopeChange = {
  entities: new Map(ids.map(id => [id, { selectOperationScopes: ['read'] }])),
  defined,
}

let session: ScopeSession
/** Waits until all changes are in the drafts, and shows them to the session as the page does. */
async function settled() {
  await expect.poll(() => session.state.getState().pending).toEqual([])
  const rows = ids.map((id): MatrixRow => {
    const { name, operationScopes } = contentOf(id)
    return { id, name, path: name, manifest: '', sharedWith: [], primaryKey: 'id', operationScopes }
  })
  session.show({ rows, defined: definitions() })
}

describe('Steps over the drafts of several entities and the configuration', () => {
  function close() {
    for (const store of [entityStore, configurationStore]) store.close([...store.state.getState().open.keys()])
  }
  afterAll(() => {
    close()
    workbench.getState().reset()
  })
  beforeEach(() => {
    close()
    noticeStore.setState({ notices: [] })
    workbench.getState().reset()
    // Documents with a tab stay open when they are saved.
    for (const id of ids) workbench.getState().openInBackground({ kind: 'entity', id, name: `E${id}` })
    for (const id of ids) receive(id)
    configurationStore.receive(configurationStandIn(manifestId, newConfiguration('Shop'), undefined), '"1"', undefined)
    session = new ScopeSession(manifestId)
  })

  it('one change is one step in each draft, which one undo takes back and one redo makes again', async () => {
    expect(session.change('Assign scopes', change)).toBe(true)
    expect(session.state.getState().pending).toEqual([change])
    await settled()
    expect([ids.map(scopesOf), definitions().scopeDefinitions]).toEqual([[['read'], ['read']], ['read']])
    session.undo()
    expect([ids.map(scopesOf), definitions().scopeDefinitions]).toEqual([[[], []], []])
    expect(ids.map(id => entityStore.get(draftKey(id, undefined))?.draft.changes)).toEqual([0, 0])
    session.redo()
    expect([ids.map(scopesOf), definitions().scopeDefinitions]).toEqual([[['read'], ['read']], ['read']])
    await settled()
  })

  it('after saving, undo restores the scopes before, except those that were changed since', async () => {
    session.change('Assign scopes', { entities: change.entities })
    await settled()
    for (const id of ids) {
      entityStore.dispatch(draftKey(id, undefined), { kind: 'discard' })
      receive(id, { selectOperationScopes: ids.indexOf(id) === 0 ? ['read'] : ['other'] })
    }
    await settled()
    session.undo()
    await settled()
    expect(ids.map(scopesOf)).toEqual([[], ['other']])
    expect(noticeStore.getState().notices.map(({ text }) => text)).toContain(
      '1 operation was changed since and stays as it is.',
    )
    session.redo()
    await settled()
    expect(scopesOf(11)).toEqual(['read'])
  })

  it('consecutive changes are made in their order', async () => {
    session.change('Assign scopes', change)
    session.change('Clear scopes', { entities: new Map([[11, { selectOperationScopes: [] }]]) })
    await settled()
    expect(ids.map(scopesOf)).toEqual([[], ['read']])
    expect(session.state.getState().done.map(({ label }) => label)).toEqual(['Assign scopes', 'Clear scopes'])
  })

  it('a change of too many entities is refused, and one without effect is no step', () => {
    const many = Array.from({ length: maxEntities + 1 }, (_, id): [number, Partial<OperationScopes>] => [
      id + 100,
      { selectOperationScopes: ['x'] },
    ])
    expect(session.change('Assign scopes', { entities: new Map(many) })).toBe(false)
    expect(noticeStore.getState().notices[0]?.text).toContain('This concerns 1,001 entities; at most 1,000')
    expect(session.change('Assign scopes', { entities: new Map() })).toBe(true)
    expect(session.state.getState()).toMatchObject({ pending: [], done: [] })
  })
})
